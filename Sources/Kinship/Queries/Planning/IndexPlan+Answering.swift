extension IndexPlan {
  /// Answers a query by the index.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - read: Reads the records whose ids a walk through the index comes to, in its order, but for
  ///     so many at the front; returns how many ids there are.
  /// - Returns: The records that the query asks for, in its order.
  /// - Throws: What the closure throws, and `KinshipError.filterFailed`.
  /// - Complexity: O(*n*) in the ids that are looked at, besides what it takes to find them; they
  ///   are sorted unless they come in order.
  package func answer<R: GraphRecord>(
    to query: RecordQuery<R>, reading read: (IndexWalk, Int, inout [R]) throws -> Int
  ) throws -> [R] {
    var records: [R] = []
    guard isInOrder else {
      _ = try read(walk(upTo: .max), 0, &records)
      note(R.self, lookedAt: records.count)
      return query.arranged(try query.filter.matching(in: records))
    }
    let end = query.end ?? .max
    var found: [R] = []
    var (lookedAt, passed) = (0, 0)
    // Where the filter leaves some out, each time so many more are needed.
    var limit = end
    while found.count < end {
      let count = try read(walk(upTo: limit), passed, &records)
      lookedAt += records.count
      let matching = try query.filter.matching(in: records)
      found = found.isEmpty ? matching : found + matching
      if count < limit { break }
      passed = count
      limit = limit > .max / 4 ? .max : limit * 4
      records = []
    }
    note(R.self, lookedAt: lookedAt)
    return query.sliced(found)
  }
}
