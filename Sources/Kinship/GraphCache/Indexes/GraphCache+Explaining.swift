extension GraphCache {
  /// Answers a query and says what it took.
  ///
  /// It says where the answer came from, by which index, and how many records were looked at.
  ///
  /// ```swift
  /// let explanation = try await cache.explain(.long(rock).limited(to: 20))
  /// ```
  ///
  /// The records come into memory, as by ``find(_:from:within:)``.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - source: Where to look: by default, where the data are.
  /// - Returns: What was done.
  /// - Throws: What ``find(_:from:within:)`` throws.
  /// - Complexity: That of ``find(_:from:within:)``.
  public func explain<R: GraphRecord>(
    _ query: RecordQuery<R>, from source: QuerySource = .dataLayer
  ) async throws -> QueryExplanation {
    let trace = QueryTrace()
    let found = try await QueryTrace.$current.withValue(trace) {
      try await find(query, from: source).count
    }
    var explanation = trace.result
    explanation.recordsFound = found
    if explanation.source == .store, explanation.recordsLookedAt == 0 {
      explanation.recordsLookedAt = explanation.recordsFetched
    }
    return explanation
  }
}
