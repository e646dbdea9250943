extension Cacheable {
  /// Whether all ids of the type can be found again: those of the usual types, which need not be looked at.
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

extension Record {
  /// Refuses an id that could not be found again.
  ///
  /// - Throws: `KinshipError.unstableID`.
  @inlinable
  static func requireStable(_ id: ID) throws(KinshipError) {
    if !isStable(id) { throw .unstableID(type: recordName) }
  }

  /// Refuses records with ids that could not be found again.
  ///
  /// - Throws: `KinshipError.unstableID`.
  @inlinable
  static func requireStable(_ records: some Sequence<Self>) throws(KinshipError) {
    if hasSoundIDs { return }
    for record in records where !isStable(record.id) { throw .unstableID(type: recordName) }
  }
}
