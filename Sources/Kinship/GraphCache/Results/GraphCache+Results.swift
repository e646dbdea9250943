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
  ///   - windowSize: How many records are loaded together, at least 1.
  ///   - windowCapacity: How many such windows are kept, at least 2: beyond that, those that were
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
