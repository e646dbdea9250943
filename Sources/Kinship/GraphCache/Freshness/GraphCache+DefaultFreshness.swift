/// The freshness of types, for reads that do not specify one.
extension GraphCache {
  /// Returns the age limits of a type's records; `nil` if any age is fresh.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - limit: The reader's limit; `nil` for that of the type.
  /// - Returns: The limits.
  nonisolated func bounds<R: GraphRecord>(of type: R.Type, _ limit: Duration?) -> AgeBounds? {
    guard store != nil else { return nil }
    let freshness = limit.map { Freshness.within($0) } ?? freshness(of: type)
    return freshness?.bounds(at: now)
  }

  /// Returns the time since which a type's records are fresh; `nil` if any age is fresh.
  nonisolated func oldest<R: GraphRecord>(of type: R.Type) -> Stamp? {
    bounds(of: type, nil)?.oldest.present
  }

  /// Returns the freshness of a type, or the cache's override.
  @usableFromInline
  nonisolated func freshness<R: GraphRecord>(of type: R.Type) -> Freshness? {
    guard hasFreshness, let number = schema.number(of: type) else { return nil }
    return freshness[number.index]
  }
}
