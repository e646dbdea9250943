extension Cacheable {
  /// Whether all ids of the type can be found again: those of the usual types, which need not be
  /// looked at.
  @inlinable static var hasSoundIDs: Bool {
    ID.self == Int.self || ID.self == String.self || ID.self == UInt.self || ID.self == Int64.self
      || ID.self == Int32.self
  }

  /// Whether an id can be found again: it is equal to itself, and its hash does not change.
  @inlinable
  static func isStable(_ id: ID) -> Bool {
    hasSoundIDs || id == id && SlotIndex.tag(of: id) == SlotIndex.tag(of: id)
  }
}
