#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// The making of a change set's changes.
  struct Application {
    private let parts: [any ErasedChanges]
    private let rank: [UInt32: Int]
    private let connection: Connection
    /// What follows on `BEGIN`.
    private let opening: String
    /// Whether the database may change more rows, or otherwise, than it is told.
    private let isAffected: Bool
    /// Reports what was changed beyond the changes, at the end of the transaction.
    private let reportOthers: (inout CommitReport) throws -> Void

    /// A table that refers to another has a higher rank, by its number.
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

    /// Makes the changes, in a transaction.
    ///
    /// Mostly nothing stands against them. Where something does, it may have been the order: what
    /// is inserted may need what others give up first. If not that either, it is found out what is
    /// wrong, as if all had been checked before.
    ///
    /// - Returns: What is stored otherwise than the changes say.
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

    /// Runs a closure in a transaction, with writers that know nothing of an earlier one: what was
    /// read there may be another by now.
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
        // What is put off to the commit happens now.
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
