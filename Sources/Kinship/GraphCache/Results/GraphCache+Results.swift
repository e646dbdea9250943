extension GraphCache {
  /// Returns the result of a query, whose records are loaded as you read them.
  ///
  /// ```swift
  /// let results = try await cache.results(.long(rock), windowSize: 50)
  /// let howMany = results.count
  /// let track = try await results[4_711]
  /// ```
  ///
  /// It asks the store only for the count, not for records.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - windowSize: The number of records to load together, at least 1.
  ///   - windowCapacity: The number of windows to keep, at least 2. Beyond that, the least recently
  ///     read windows are dropped.
  ///   - readAhead: The distance to the end of a window, in the direction of reading, at which the
  ///     next one is loaded. 0 means never; the default is half a window.
  /// - Returns: The results.
  /// - Throws: The errors of ``RecordQuery/count``.
  /// - Complexity: Same as ``RecordQuery/count``.
  public nonisolated func results<R: GraphRecord>(
    _ query: RecordQuery<R>, windowSize: Int = 50, windowCapacity: Int = 20, readAhead: Int? = nil
  ) async throws -> QueryResults<R> {
    QueryResults(
      self, query,
      ResultWindows(
        query, count: try await find(query.count), size: windowSize, capacity: windowCapacity,
        ahead: readAhead ?? (windowSize / 2)))
  }
}
