extension GraphCache {
  /// Answers a query and reports its cost.
  ///
  /// The report says where the result came from, which index served it, and how many records were
  /// examined.
  ///
  /// ```swift
  /// let explanation = try await cache.explain(.long(rock).limited(to: 20))
  /// ```
  ///
  /// The records are loaded into memory, as with ``RecordQuery/find(in:_:)``.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - source: Where to look: by default, in the data layer.
  /// - Returns: The report.
  /// - Throws: The errors of ``RecordQuery/find(in:_:)``.
  /// - Complexity: Same as ``RecordQuery/find(in:_:)``.
  public func explain<R: GraphRecord>(
    _ query: RecordQuery<R>, from source: QuerySource = .dataLayer
  ) async throws -> QueryExplanation {
    let trace = QueryTrace()
    let found = try await QueryTrace.$current.withValue(trace) {
      try await records(for: query, ReadOptions(source: source)).count
    }
    var explanation = trace.result
    explanation.recordsFound = found
    if explanation.source == .store, explanation.recordsLookedAt == 0 {
      explanation.recordsLookedAt = explanation.recordsFetched
    }
    return explanation
  }
}
