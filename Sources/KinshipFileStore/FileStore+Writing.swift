public import Kinship

extension FileStore {
  /// Applies changes, all or none.
  ///
  /// Changes from concurrent tasks are written and synced together.
  ///
  /// - Parameter changes: The records to insert, update and delete.
  /// - Throws: `KinshipError.exists` if a record to insert exists; `.conflict` if a record to
  ///   update or delete does not exist, or has another version (`Versioned`); `.untranslatable` if
  ///   a record cannot be encoded; `.file(.failed)` with a `SystemError` if the files cannot be
  ///   written; `.misuse(.closed)`; `.misuse(.readOnlyStore)` if the store only reads;
  ///   `CancellationError` if the task is cancelled before the commit begins. Then nothing has
  ///   changed, and no part of the changes is there when the store is opened again.
  /// - Complexity: O(*n*) in the changes.
  public func apply(_ changes: ChangeSet) async throws {
    try Task.checkCancellation()
    for type in changes.types { try type.requireStable() }
    try await writer().commit(changes)
  }

  /// Reserves ids for new records: the integers after the largest one, or random UUIDs.
  ///
  /// After the store is opened again, it begins after the largest id that it then has.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - count: The number of ids.
  /// - Returns: Ids that no record has, and that were not reserved before.
  /// - Throws: `KinshipError.misuse(.unsupported)` for ids that are neither integers nor UUIDs;
  ///   `.invalidSchema(.unknownType)`, `.misuse(.closed)`; `.misuse(.readOnlyStore)` if the store
  ///   only reads.
  /// - Complexity: O(*n*) in the records of the type the first time, then O(1) for each id.
  public func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID] {
    _ = try writer()
    return try counter.next(type, count: count, in: "FileStore") { () throws(KinshipError) in
      try open { catalog throws(KinshipError) in try catalog.rows(of: type) }.ids
    } isTaken: { id throws(KinshipError) in
      try open { catalog throws(KinshipError) in
        try catalog.locations(of: type).positions[id] != nil
      }
    }
  }

  /// Returns `true`: a commit changes all or nothing, and no part of a failed commit is there when
  /// the store is opened again.
  ///
  /// - Parameter error: An error that ``apply(_:)`` has thrown.
  /// - Returns: `true`.
  public func isRefusal(_ error: any Error) -> Bool { true }
}
