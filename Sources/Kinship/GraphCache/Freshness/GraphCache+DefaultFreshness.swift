/// What types say of their freshness, where a reader does not.
extension GraphCache {
  /// What counts as fresh of a type's records; `nil` if all that is known does.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - limit: What the reader says; `nil` for what the type says.
  /// - Returns: What counts.
  nonisolated func bounds<R: GraphRecord>(of type: R.Type, _ limit: Duration?) -> AgeBounds? {
    guard store != nil else { return nil }
    let freshness = limit.map { Freshness.within($0) } ?? freshness(of: type)
    return freshness?.bounds(at: now)
  }

  /// From which moment on it counts what memory knows of a type's records; `nil` if all of it does.
  nonisolated func oldest<R: GraphRecord>(of type: R.Type) -> Stamp? {
    bounds(of: type, nil)?.oldest.present
  }

  /// What a type says, or the cache in its place.
  @usableFromInline
  nonisolated func freshness<R: GraphRecord>(of type: R.Type) -> Freshness? {
    guard hasFreshness, let number = schema.number(of: type) else { return nil }
    return freshness[number.index]
  }

  /// The record that a ref names, as fresh as its type says.
  nonisolated(nonsending) func findByType<R: GraphRecord>(
    _ ref: Ref<R>, _ freshness: Freshness, _ fileID: CallSite.FileID, _ line: UInt
  ) async throws -> R? {
    if let shown = try shown(ref, freshness) { return shown.value }
    return try await find([ref], fileID: fileID, line: line).first ?? nil
  }
}
