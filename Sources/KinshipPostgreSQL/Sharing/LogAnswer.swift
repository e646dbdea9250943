#if PostgreSQL
  /// The contents of a log at one moment.
  struct LogAnswer: Sendable {
    let log: LogIdentity
    /// The highest number among the log's rows and the deleted ones.
    let high: UInt64
    /// The running transactions.
    let running: [UInt64]
    /// The highest number among rows deleted because of their age.
    let pruned: UInt64
    /// Rows of the log: all that the cursor has not seen, and perhaps others.
    let rows: [LogRow]
  }

  /// The changes of one statement.
  struct LogRow: Hashable, Sendable {
    let transaction: UInt64
    let change: LogChange
  }

  /// Changed records of a type.
  struct LogChange: Hashable, Sendable {
    /// The name of the type.
    let record: String
    /// The columns of their ids as texts, one id after another; `nil` for any record of the type.
    let ids: [String]?
    /// The writer of the change, if it gave its name.
    let writer: String?
  }

  /// The changes since a place in a log.
  struct LogChanges: Hashable, Sendable {
    /// The changes; `nil` if they are not known, so that everything may have changed.
    let changes: [LogChange]?
    let cursor: LogCursor
  }

  extension LogAnswer {
    /// Returns the changes since a place; without a place, there are none.
    func changes(since cursor: LogCursor?) -> LogChanges {
      let present = LogCursor(log, high: high, running: running)
      guard var cursor else { return LogChanges(changes: [], cursor: present) }
      // A log that ends before the place belongs to an older copy.
      guard cursor.log == log, pruned <= cursor.high, cursor.high <= high,
        cursor.open.allSatisfy({ $0 > pruned })
      else { return LogChanges(changes: nil, cursor: present) }
      let new = rows.filter { cursor.isNew($0.transaction) }
      cursor.advance(seeing: new.lazy.map(\.transaction), running: running)
      return LogChanges(changes: new.map(\.change), cursor: cursor)
    }
  }
#endif
