extension GraphRecord {
  /// Throws if an id could not be found again.
  ///
  /// - Throws: `KinshipError.unstableID`.
  @inlinable
  static func requireStable(_ id: ID) throws(KinshipError) {
    if !isStable(id) { throw .unstableID(type: recordName) }
  }

  /// Throws if an id could not be found again.
  ///
  /// - Throws: `KinshipError.unstableID`.
  static func requireStable(ids: [ID]) throws(KinshipError) {
    if hasSoundIDs { return }
    for id in ids where !isStable(id) { throw .unstableID(type: recordName) }
  }

  /// Throws if a record has an id that could not be found again.
  ///
  /// - Throws: `KinshipError.unstableID`.
  @inlinable
  static func requireStable(_ records: some Sequence<Self>) throws(KinshipError) {
    if hasSoundIDs { return }
    for record in records where !isStable(record.id) { throw .unstableID(type: recordName) }
  }
}
