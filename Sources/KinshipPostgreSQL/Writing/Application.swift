#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  struct Application {
    /// The changes of each table, each after those of the tables that it refers to.
    let parts: [TablePart]
    let opening: String
    let connection: Connection
    /// Whether the database may change other rows than the given ones, or store other values.
    let isAffected: Bool
    /// Reports the other changes, at the end of the transaction.
    let reportOthers: (inout CommitReport) throws -> Void

    /// Applies the changes, in a transaction.
    ///
    /// Usually nothing prevents them. If something does, the order may be the cause: inserted rows
    /// may need values that others give up first. If it is not, the cause is found as if everything
    /// had been checked before.
    ///
    /// - Returns: The values stored differently from the changes.
    func run() throws -> CommitReport {
      do {
        return try make(insertsFirst: true)
      } catch let error where Self.isRefusal(error) {
        do {
          return try make(insertsFirst: false)
        } catch let error where Self.isRefusal(error) {
          try transaction { writers in for writer in writers { try writer.check() } }
          throw (error as? RowConflict)?.error ?? error
        }
      }
    }

    private func make(insertsFirst: Bool) throws -> CommitReport {
      try transaction { writers in
        if insertsFirst { for writer in writers { try writer.insert() } }
        for writer in writers { try writer.update() }
        if insertsFirst { for writer in writers { try writer.writeLists() } }
        for writer in writers.reversed() { try writer.emptyDeletedLists() }
        for writer in writers.reversed() { try writer.delete() }
        if !insertsFirst {
          for writer in writers { try writer.insert() }
          for writer in writers { try writer.writeLists() }
        }
        var report = CommitReport()
        if isAffected {
          // Run deferred constraints and triggers now.
          try connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
          try reportOthers(&report)
        }
        for writer in writers { try writer.compare(isAffected: isAffected, &report) }
        return report
      }
    }

    /// Runs a closure in a transaction, with new writers, because rows read earlier may have
    /// changed.
    private func transaction<Result>(
      _ body: ([any TableWriting]) throws -> Result
    ) throws -> Result {
      try connection.transaction(opening) { try body(parts.map { $0.writer(connection) }) }
    }

    private static func isRefusal(_ error: any Error) -> Bool {
      error is RowConflict || (error as? PostgreSQLError)?.isConstraint == true
    }
  }

  /// The changes of one table, with the rows that require no reading.
  struct TablePart: Sendable {
    /// The OID of the table.
    let table: UInt32
    let writer: @Sendable (Connection) -> any TableWriting

    /// Creates the rows that require no reading.
    ///
    /// This happens before a connection is taken, because others wait for it, and while the records
    /// are still in the processor's cache.
    init<R: GraphRecord>(_ changes: TableChanges<R>, _ plan: PostgreSQLPlan<R>) throws {
      let batch = RowBatch(plan)
      let rows = changes.writer(batch)
      if !changes.inserted.isEmpty {
        try plan.plan.table.insert(changes.inserted, rows, plan.plan.layout)
      }
      let areAll = try changes.updateKnown(rows)
      let known = KnownRows(
        insert: try batch.takeInserts(), update: try batch.takeUpdates(), areAll: areAll,
        areInexact: batch.isInexact || rows.leavesDefaults)
      table = plan.table
      writer = { TableWriter(changes, plan, known, $0) }
    }
  }
#endif
