#if PostgreSQL
  /// What a log says of one moment.
  struct LogAnswer: Sendable {
    let log: LogIdentity
    /// The highest number of the log's rows, or of those that were deleted.
    let high: UInt64
    /// The transactions that are under way.
    let running: [UInt64]
    /// The highest number of the rows that were deleted because they were old.
    let pruned: UInt64
    /// Rows of the log: all that the cursor had not seen, perhaps others.
    let rows: [LogRow]
  }

  /// What one statement has changed.
  struct LogRow: Hashable, Sendable {
    let transaction: UInt64
    let change: LogChange
  }

  /// Records of a type that have changed.
  struct LogChange: Hashable, Sendable {
    /// The name of the type.
    let record: String
    /// The columns of their ids as texts, one id after another; `nil` for any of the type.
    let ids: [String]?
    /// Who has made the change, if it has said so.
    let writer: String?
  }

  /// What has changed since a place in a log.
  struct LogChanges: Hashable, Sendable {
    /// The changes; `nil` where they are not known: everything may have changed.
    let changes: [LogChange]?
    let cursor: LogCursor
  }

  extension LogAnswer {
    /// What has changed since a place; nothing since none.
    func changes(since cursor: LogCursor?) -> LogChanges {
      let present = LogCursor(log, high: high, running: running)
      guard var cursor else { return LogChanges(changes: [], cursor: present) }
      // A log that ends before the place is that of an older copy.
      guard cursor.log == log, pruned <= cursor.high, cursor.high <= high,
        cursor.open.allSatisfy({ $0 > pruned })
      else { return LogChanges(changes: nil, cursor: present) }
      let new = rows.filter { cursor.isNew($0.transaction) }
      cursor.advance(seeing: new.lazy.map(\.transaction), running: running)
      return LogChanges(changes: new.map(\.change), cursor: cursor)
    }
  }
#endif
