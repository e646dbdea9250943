public import Kinship

extension FileStore {
  /// Makes changes, all or none.
  ///
  /// Changes that several tasks make at the same time are written and synced together.
  ///
  /// - Parameter changes: What to insert, update and delete.
  /// - Throws: `KinshipError.exists` for a record to insert that exists, `.conflict` for one to
  ///   update or delete that does not, or has another version (`Versioned`); `.untranslatable`
  ///   for one that cannot be encoded; `.fileFailed` with a `SystemError` if the files cannot be
  ///   written; `.closed`; `.readOnlyStore` if it only reads; `CancellationError` if the task is
  ///   cancelled before it begins. Then nothing has changed, and nothing of it is found when the
  ///   store is opened again.
  /// - Complexity: O(*n*) in the changes.
  public func apply(_ changes: ChangeSet) async throws {
    try Task.checkCancellation()
    for type in changes.types { try type.requireStable() }
    try await writer().commit(changes)
  }

  /// Chooses ids: the integers after the largest one, or random UUIDs.
  ///
  /// A store that is opened again begins after the largest one that it has then.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - count: How many ids are wanted.
  /// - Returns: Ids that no record has, and that were not chosen before.
  /// - Throws: `KinshipError.unsupported` for ids that are neither integers nor UUIDs;
  ///   `.unknownType`, `.closed`; `.readOnlyStore` if it only reads.
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

  /// Nothing is changed unless all is, and what fails is not found when the store is opened again.
  ///
  /// - Parameter error: An error that ``apply(_:)`` has thrown.
  /// - Returns: `true`.
  public func isRefusal(_ error: any Error) -> Bool { true }
}
