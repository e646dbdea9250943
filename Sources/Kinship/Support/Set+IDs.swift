extension Set {
  /// Adds ids.
  ///
  /// Callers that add many at a time do not know their type: see `IDPositions`.
  ///
  /// - Complexity: O(*n*) in the ids, on average.
  @_specialize(where Element == Int)
  @_specialize(where Element == String)
  mutating func add(_ ids: [Element]) { for id in ids { insert(id) } }
}
