#if PostgreSQL
  /// A place in the log of a database, up to which all changes are known.
  ///
  /// Transactions get their numbers when they begin, but their rows become visible when they
  /// commit, in any order. So the cursor lists the transactions below the highest one that are
  /// still to come.
  struct LogCursor: Hashable, Sendable {
    let log: LogIdentity
    /// The highest number of a transaction whose row was seen.
    ///
    /// After a crash, the server may reuse a number without a row, but never one with a row.
    private(set) var high: UInt64
    /// The numbers of lower transactions that were running.
    private(set) var open: [UInt64]

    /// Creates the present place, by the highest number among the log's rows and the deleted ones.
    init(_ log: LogIdentity, high: UInt64, running: some Sequence<UInt64>) {
      self.log = log
      self.high = high
      open = running.filter { $0 <= high }.sorted()
    }

    /// Returns whether a row of a transaction has not been seen.
    func isNew(_ transaction: UInt64) -> Bool {
      transaction > high || open.contains(transaction)
    }

    /// Advances to the end of an answer, given the transactions of its new rows.
    mutating func advance(seeing seen: some Sequence<UInt64>, running: some Sequence<UInt64>) {
      self = LogCursor(log, high: max(high, seen.max() ?? 0), running: running)
    }
  }

  /// The identity of a log and its database, which changes if either is restored or recreated.
  struct LogIdentity: Hashable, Sendable {
    let system: String
    /// The timeline, which changes when a standby takes over or an earlier state is restored.
    let timeline: String
    /// The epoch, which changes when the log is recreated.
    let epoch: String
    /// A hash of the tables, which changes when rows may change without running triggers.
    ///
    /// This happens if the type of a column is altered, triggers are dropped or disabled, or a
    /// partition is attached.
    let tables: String
  }

  extension LogCursor {
    var text: String {
      let parts = [
        "2", log.system, log.timeline, log.epoch, log.tables, String(high),
        open.map { String($0) }.joined(separator: ","),
      ]
      return parts.joined(separator: " ")
    }

    init?(text: String) {
      let parts = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
      guard parts.count == 7, parts[0] == "2", let high = UInt64(parts[5]) else { return nil }
      let open = parts[6].split(separator: ",").map { UInt64($0) }
      let known = open.compactMap { $0 }
      guard known.count == open.count, known.allSatisfy({ $0 <= high }) else { return nil }
      self.init(
        LogIdentity(system: parts[1], timeline: parts[2], epoch: parts[3], tables: parts[4]),
        high: high, running: known)
    }
  }

  /// The contents of a log at one moment.
  struct LogAnswer: Sendable {
    let log: LogIdentity
    /// The highest number among the log's rows and the deleted ones.
    let high: UInt64
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
