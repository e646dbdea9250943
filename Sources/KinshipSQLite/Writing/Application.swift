#if SQLite
  internal import Kinship
  internal import KinshipSQL

  /// The changes of one table.
  struct TablePart: Sendable {
    /// Whether the changes insert and delete no rows.
    let areUpdates: Bool
    let writer: @Sendable (Connection) -> any PostponingWriter

    init<R: GraphRecord>(_ changes: TableChanges<R>) {
      areUpdates = changes.deleted.isEmpty && changes.inserted.isEmpty
      writer = { TableWriter(changes, $0) }
    }
  }

  /// Applies the changes of a change set, in a transaction.
  struct Application {
    let parts: [TablePart]
    let connection: Connection
    /// Whether the database may change other rows than the given ones, or store other values.
    let isAffected: Bool
    /// Called when the transaction that applies the changes has begun, which may not be the first
    /// one.
    let willMake: () -> Void

    /// Applies the changes.
    ///
    /// Usually nothing prevents them, so they are applied first. If that fails, they are undone,
    /// and the cause is found as if everything had been checked before. A savepoint would keep the
    /// lock in the meantime, but SQLite then copies each changed page, which costs half as much as
    /// the changes.
    ///
    /// Foreign keys are checked at the end if rows are inserted or deleted, because these may refer
    /// to one another. If there are only updates, that is most unlikely, and deferring the checks
    /// makes SQLite prepare all statements again.
    ///
    /// - Returns: The values stored differently from the changes.
    func run(isDeferring: Bool = false) throws -> CommitReport {
      let isDeferring = isDeferring || !parts.allSatisfy(\.areUpdates)
      let writers = parts.map { $0.writer(connection) }
      // This applies until the end of the transaction.
      if isDeferring { try connection.execute("PRAGMA defer_foreign_keys = ON") }
      do {
        return try make(writers)
      } catch {
        if !isDeferring, (error as? SQLiteError)?.isOfForeignKey == true {
          try restart()
          return try run(isDeferring: true)
        }
        guard error is RowConflict || (error as? SQLiteError)?.isConstraint == true else {
          throw error
        }
        try restart()
        for writer in writers { try writer.check() }
        throw (error as? RowConflict)?.error ?? (error as any Error)
      }
    }

    /// Begins another transaction; some failures have already ended the one before.
    private func restart() throws(SQLiteError) {
      if connection.isInTransaction { try connection.execute("ROLLBACK") }
      try connection.execute("BEGIN IMMEDIATE")
    }

    private func make(_ writers: [any PostponingWriter]) throws -> CommitReport {
      willMake()
      for writer in writers { try writer.prepareDeletions() }
      for writer in writers { try writer.update() }
      for writer in writers { try writer.emptyDeletedLists() }
      try settle(writers) { writer in try writer.delete() }
      try settle(writers) { writer in try writer.updatePostponed() }
      for writer in writers { try writer.insert() }
      for writer in writers { try writer.writeLists() }
      var report = CommitReport()
      for writer in writers { try writer.compare(isAffected: isAffected, &report) }
      return report
    }

    /// Runs a step for all tables, and repeats it for those that others blocked, as long as that
    /// helps.
    private func settle(
      _ writers: [any PostponingWriter], _ step: (any PostponingWriter) throws -> Void
    ) throws {
      var rest = writers
      while !rest.isEmpty {
        var refused: [(any PostponingWriter, any Error)] = []
        for writer in rest {
          do {
            try step(writer)
          } catch let error as SQLiteError where error.isConstraint {
            refused.append((writer, error))
          }
        }
        if let (_, error) = refused.first, refused.count == rest.count { throw error }
        rest = refused.map { $0.0 }
      }
    }
  }
#endif
