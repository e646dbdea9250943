#if SQLite
  public import Kinship
  internal import KinshipSQL

  extension SQLiteStore {
    /// Applies changes in one transaction.
    ///
    /// 1. The records to delete are checked.
    /// 2. Rows are updated, in the changed columns only.
    /// 3. Rows are deleted, then inserted.
    /// 4. Lists are written: the rows of join tables are replaced, and foreign keys set.
    /// 5. SQLite checks foreign keys and commits.
    ///
    /// The columns that a deleted record does not map are kept with the changes by
    /// `ChangeSet.keep(_:of:)`, so undoing the deletion inserts the row as it was.
    ///
    /// If a row blocks another by a unique value that it is about to give up, the other one waits.
    /// Deleting a record clears its lists: rows of join tables are deleted, foreign keys set to
    /// NULL.
    ///
    /// - Parameter changes: The records to insert, update and delete.
    /// - Throws: `KinshipError.exists` for a record to insert that exists, `.conflict` for one to
    ///   update or delete that does not, or has another version; `.identityChanged` for one that
    ///   would get another id; `.untranslatable` for one that cannot be stored; `SQLiteError` if
    ///   SQLite rejects the changes; `KinshipError.readOnlyStore` if the store is opened for
    ///   reading only; `CancellationError` if the task is cancelled. In these cases, nothing has
    ///   changed.
    public func apply(_ changes: ChangeSet) async throws {
      try Task.checkCancellation()
      guard configuration.access == .readWrite else {
        throw KinshipError.readOnlyStore("SQLiteStore")
      }
      let parts = try changes.recordTypes.map { try part(changes, of: $0) }
      let isBrief = changes.count <= 16 && configuration.synchronous != .full
      try await writer.run(isBrief: isBrief) { connection in
        try self.sharing.apply(parts, of: changes, in: connection)
      }
    }

    /// Returns whether an error means, for certain, that nothing was changed.
    ///
    /// SQLite rolls back what it cannot commit. Only a failure of the disk leaves the outcome
    /// unknown.
    ///
    /// - Parameter error: An error that ``apply(_:)`` has thrown.
    /// - Returns: Whether nothing was changed.
    public func isRefusal(_ error: any Error) -> Bool { (error as? SQLiteError)?.isOfDisk != true }

    private func part<R: GraphRecord>(_ changes: ChangeSet, of type: R.Type) throws -> TablePart {
      TablePart(TableChanges(changes, try plan(type)))
    }
  }
#endif
