extension IndexPlan {
  /// Answers a query by the index.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - read: Reads the records whose ids a walk through the index finds, in its order, except for
  ///     so many at the front; returns the number of ids.
  /// - Returns: The records that the query finds, in its order.
  /// - Throws: The errors of the closure, and `KinshipError.filterFailed`.
  /// - Complexity: O(*n*) in the ids that are examined, in addition to the search; they are sorted
  ///   unless they are already in order.
  package func answer<R: GraphRecord>(
    to query: RecordQuery<R>, reading read: (IndexWalk, Int, inout [R]) throws -> Int
  ) throws -> [R] {
    var records: [R] = []
    guard isInOrder else {
      _ = try read(walk(upTo: .max), 0, &records)
      recordScan(R.self, lookedAt: records.count)
      return query.arranged(try query.selection.matching(in: records))
    }
    let end = query.end ?? .max
    var found: [R] = []
    var (lookedAt, passed) = (0, 0)
    // If the filter leaves some out, each round needs that many more.
    var limit = end
    while found.count < end {
      let count = try read(walk(upTo: limit), passed, &records)
      lookedAt += records.count
      let matching = try query.selection.matching(in: records)
      found = found.isEmpty ? matching : found + matching
      if count < limit { break }
      passed = count
      limit = limit > .max / 4 ? .max : limit * 4
      records = []
    }
    recordScan(R.self, lookedAt: lookedAt)
    return query.sliced(found)
  }
}
