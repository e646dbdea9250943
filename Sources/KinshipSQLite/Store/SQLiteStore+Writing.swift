#if SQLite
  public import Kinship
  internal import KinshipSQL

  extension SQLiteStore {
    /// Makes changes in one transaction.
    ///
    /// 1. Records to delete are checked.
    /// 2. Rows are updated, in those columns that have changed.
    /// 3. Rows are deleted, then inserted.
    /// 4. Lists are written: the rows between are replaced, and foreign keys set.
    /// 5. SQLite checks foreign keys and commits.
    ///
    /// Columns that a deleted record does not map are kept with the changes:
    /// `ChangeSet.keep(_:of:)`. Whoever undoes the deletion inserts the row as it was.
    ///
    /// A row that stands in the way of another, by a unique value that it is to give up, is waited
    /// for. What is deleted takes its lists with it: rows between are deleted, foreign keys set to
    /// NULL.
    ///
    /// - Parameter changes: What to insert, update and delete.
    /// - Throws: `KinshipError.exists` for a record to insert that exists, `.conflict` for one to
    ///   update or delete that does not, or has another version; `.identityChanged` for one that
    ///   would get another id; `.untranslatable` for one that cannot be stored; `SQLiteError` if
    ///   SQLite refuses; `KinshipError.readOnlyStore` if the store is opened for reading only;
    ///   `CancellationError` if the task is cancelled. Then nothing has changed.
    public func apply(_ changes: ChangeSet) async throws {
      try Task.checkCancellation()
      guard configuration.access == .readWrite else {
        throw KinshipError.readOnlyStore("SQLiteStore")
      }
      var parts: [any ErasedTableChanges] = []
      for type in changes.recordTypes { parts.append(try part(changes, of: type)) }
      let all = parts
      let isBrief = changes.count <= 16 && configuration.synchronous != .full
      try await writer.run(isBrief: isBrief) { connection in
        try self.sharing.apply(all, of: changes, in: connection)
      }
    }

    /// Whether an error means, for certain, that nothing was changed.
    ///
    /// SQLite rolls back what it cannot commit. Only where the disk itself has failed nobody can
    /// tell.
    ///
    /// - Parameter error: An error that ``apply(_:)`` has thrown.
    /// - Returns: Whether nothing was changed.
    public func isRefusal(_ error: any Error) -> Bool { (error as? SQLiteError)?.isOfDisk != true }

    private func part<R: GraphRecord>(
      _ changes: ChangeSet, of type: R.Type
    ) throws -> any ErasedTableChanges {
      TableChanges(changes, try plan(type))
    }
  }
#endif
