extension GraphCache {
  /// The answer to a query, of which records are loaded as they are read.
  ///
  /// ```swift
  /// let results = try await cache.results(.long(rock), windowSize: 50)
  /// let howMany = results.count
  /// let track = try await results[4_711]
  /// ```
  ///
  /// It asks the store how many there are, and for no record.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - windowSize: How many records are loaded together, 1 or more.
  ///   - windowCapacity: How many such windows are kept, 2 or more: beyond that, those that were
  ///     read least recently are let go of.
  ///   - readAhead: How near to the end of a window, in the direction of reading, the next one is
  ///     loaded: 0 for never, by default half a window.
  /// - Returns: The results.
  /// - Throws: What ``count(_:from:)`` throws.
  /// - Complexity: That of ``count(_:from:)``.
  public nonisolated func results<R: GraphRecord>(
    _ query: RecordQuery<R>, windowSize: Int = 50, windowCapacity: Int = 20, readAhead: Int? = nil
  ) async throws -> QueryResults<R> {
    QueryResults(
      self, query,
      ResultWindows(
        query, count: try await count(query), size: windowSize, capacity: windowCapacity,
        ahead: readAhead ?? (windowSize / 2)))
  }
}

extension GraphCache {
  /// Finds the records of a part of an answer, of which the last one says where the next begins.
  ///
  /// If records are written while the store answers, some may be found where they no longer belong,
  /// or be left out, so that there seem to be no more: then it is asked again; not for ever, since
  /// what was put into memory may differ from what the store has.
  func findInPlace<R: GraphRecord>(
    _ query: RecordQuery<R>, within limit: Duration? = nil
  ) async throws -> [R] {
    let query = try await resolved(query)
    for _ in 0..<3 {
      let moment = state.withLock { $0.moment }
      let found = try await find(query, within: limit)
      let isUnchanged = state.withLock { $0.moment } == moment
      let isComplete = isUnchanged || found.count >= query.limit ?? .max
      if isComplete, try query.hasPlace(for: found) { return found }
    }
    return try await find(query, within: limit)
  }
}

extension RecordQuery {
  /// Whether records are among those that it asks for, and in its order, by what they are.
  fileprivate func hasPlace(for found: [R]) throws(KinshipError) -> Bool {
    try filter.firstMismatch(in: found) == nil
      && zip(found, found.dropFirst()).allSatisfy { !areInIncreasingOrder($1, $0) }
  }
}
