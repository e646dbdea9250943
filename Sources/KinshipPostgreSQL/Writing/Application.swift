#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// Applies the changes of a change set.
  struct Application {
    private let parts: [any ErasedChanges]
    private let rank: [UInt32: Int]
    private let connection: Connection
    /// The text after `BEGIN`.
    private let opening: String
    /// Whether the database may change other rows than the given ones, or store other values.
    private let isAffected: Bool
    /// Reports the other changes, at the end of the transaction.
    private let reportOthers: (inout CommitReport) throws -> Void

    /// Creates an application; a table that refers to another has a higher rank, by its number.
    init(
      _ parts: [any ErasedChanges], rank: [UInt32: Int], opening: String, _ connection: Connection,
      isAffected: Bool, reportOthers: @escaping (inout CommitReport) throws -> Void
    ) {
      self.isAffected = isAffected
      self.reportOthers = reportOthers
      self.parts = parts
      self.rank = rank
      self.opening = opening
      self.connection = connection
    }

    /// Applies the changes, in a transaction.
    ///
    /// Usually nothing prevents them. If something does, the order may be the cause: inserted rows
    /// may need values that others give up first. If it is not, the cause is found as if everything
    /// had been checked before.
    ///
    /// - Returns: The values stored differently from the changes.
    func run() throws -> CommitReport {
      do {
        return try transaction { writers in
          for writer in writers { try writer.insert() }
          for writer in writers { try writer.update() }
          for writer in writers { try writer.writeLists() }
          for writer in writers.reversed() { try writer.emptyDeletedLists() }
          for writer in writers.reversed() { try writer.delete() }
          return try report(of: writers)
        }
      } catch let error where Self.isRefusal(error) {
        do {
          return try transaction { writers in
            for writer in writers { try writer.update() }
            for writer in writers.reversed() { try writer.emptyDeletedLists() }
            for writer in writers.reversed() { try writer.delete() }
            for writer in writers { try writer.insert() }
            for writer in writers { try writer.writeLists() }
            return try report(of: writers)
          }
        } catch let error where Self.isRefusal(error) {
          try transaction { writers in for writer in writers { try writer.check() } }
          throw (error as? Discord)?.error ?? error
        }
      }
    }

    /// Runs a closure in a transaction, with new writers, because rows read earlier may have
    /// changed.
    private func transaction<Result>(
      _ body: ([any ErasedTableWriter]) throws -> Result
    ) throws -> Result {
      try connection.transaction(opening) {
        try body(
          parts.map { $0.writer(connection) }
            .sorted { rank[$0.table, default: 0] < rank[$1.table, default: 0] })
      }
    }

    private func report(of writers: [any ErasedTableWriter]) throws -> CommitReport {
      var report = CommitReport()
      if isAffected {
        // Run deferred constraints and triggers now.
        try connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
        try reportOthers(&report)
      }
      for writer in writers { try writer.compare(isAffected: isAffected, &report) }
      return report
    }

    private static func isRefusal(_ error: any Error) -> Bool {
      error is Discord || (error as? PostgreSQLError)?.isConstraint == true
    }
  }
#endif
