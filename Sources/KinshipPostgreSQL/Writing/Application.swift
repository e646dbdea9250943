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

    /// A table that refers to another has a higher rank, by its number.
    init(
      _ parts: [any ErasedChanges], rank: [UInt32: Int], opening: String, _ connection: Connection
    ) {
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
    func run() throws {
      do {
        return try transaction { writers in
          for writer in writers { try writer.insert() }
          for writer in writers { try writer.update() }
          for writer in writers { try writer.writeLists() }
          for writer in writers.reversed() { try writer.emptyDeletedLists() }
          for writer in writers.reversed() { try writer.delete() }
        }
      } catch let error where Self.isRefusal(error) {
        do {
          return try transaction { writers in
            for writer in writers { try writer.update() }
            for writer in writers.reversed() { try writer.emptyDeletedLists() }
            for writer in writers.reversed() { try writer.delete() }
            for writer in writers { try writer.insert() }
            for writer in writers { try writer.writeLists() }
          }
        } catch let error where Self.isRefusal(error) {
          try transaction { writers in for writer in writers { try writer.check() } }
          throw (error as? Discord)?.error ?? error
        }
      }
    }

    /// Runs a closure in a transaction, with writers that know nothing of an earlier one: what was
    /// read there may be another by now.
    private func transaction(_ body: ([any ErasedTableWriter]) throws -> Void) throws {
      try connection.transaction(opening) {
        try body(
          parts.map { $0.writer(connection) }
            .sorted { rank[$0.table, default: 0] < rank[$1.table, default: 0] })
      }
    }

    private static func isRefusal(_ error: any Error) -> Bool {
      error is Discord || (error as? PostgreSQLError)?.isConstraint == true
    }
  }
#endif
