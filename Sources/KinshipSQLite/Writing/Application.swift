#if SQLite
  internal import Kinship
  internal import KinshipSQL

  /// The making of a change set's changes, in a transaction.
  struct Application {
    private let parts: [any ErasedTableChanges]
    private let writers: [any ErasedTableWriter]
    private let connection: Connection
    /// Whether foreign keys are checked in the end.
    private let isDeferring: Bool
    private let effects: SideEffects
    private let willMake: () -> Void

    /// Prepares to make changes.
    ///
    /// Rows that are inserted or deleted may refer to one another. Of updates alone that is most
    /// unlikely, and to defer the checks makes SQLite prepare all statements anew.
    ///
    /// - Parameters:
    ///   - parts: The changes of each table.
    ///   - connection: The connection, in a transaction.
    ///   - effects: What the changes may cause.
    ///   - isDeferring: Whether foreign keys are checked in the end, whatever the changes are.
    ///   - willMake: Called when the transaction has begun in which the changes are made: it may be
    ///     another than at first.
    init(
      _ parts: [any ErasedTableChanges], _ connection: Connection, _ effects: SideEffects,
      isDeferring: Bool = false, willMake: @escaping () -> Void
    ) {
      self.effects = effects
      self.parts = parts
      self.willMake = willMake
      writers = parts.map { $0.writer(connection) }
      self.connection = connection
      self.isDeferring = isDeferring || !parts.allSatisfy { $0.areUpdates }
    }

    /// Makes the changes.
    ///
    /// Mostly nothing stands against them. So they are made first; where that fails, it is undone
    /// and found out what is wrong, as if all had been checked before. A savepoint would keep the
    /// lock meanwhile, but SQLite then copies each page that is changed, which costs half as much
    /// as the changes.
    ///
    /// - Returns: What is stored otherwise than the changes say.
    func run() throws -> CommitReport {
      // Until the end of this transaction.
      if isDeferring { try connection.execute("PRAGMA defer_foreign_keys = ON") }
      do {
        return try make()
      } catch {
        if !isDeferring, (error as? SQLiteError)?.isOfForeignKey == true {
          if connection.isInTransaction { try connection.execute("ROLLBACK") }
          try connection.execute("BEGIN IMMEDIATE")
          return try Application(
            parts, connection, effects, isDeferring: true, willMake: willMake
          ).run()
        }
        guard error is Discord || (error as? SQLiteError)?.isConstraint == true else {
          throw error
        }
        if connection.isInTransaction { try connection.execute("ROLLBACK") }
        try connection.execute("BEGIN IMMEDIATE")
        for writer in writers { try writer.check() }
        throw (error as? Discord)?.error ?? (error as any Error)
      }
    }

    private func make() throws -> CommitReport {
      willMake()
      for writer in writers { try writer.checkDeletions() }
      for writer in writers { try writer.update() }
      for writer in writers { try writer.emptyDeletedLists() }
      try settle { writer in try writer.delete() }
      try settle { writer in try writer.updatePostponed() }
      for writer in writers { try writer.insert() }
      for writer in writers { try writer.writeLists() }
      var report = CommitReport()
      for writer in writers { try writer.compare(effects, &report) }
      return report
    }

    /// Does something for all tables: once more, as long as that helps, for those who were kept
    /// from it by others.
    private func settle(_ step: (any ErasedTableWriter) throws -> Void) throws {
      var rest = writers
      while !rest.isEmpty {
        var refused: [(any ErasedTableWriter, any Error)] = []
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
