#if PostgreSQL
  /// A place in the log of a database up to which all is known.
  ///
  /// Numbers of transactions are given when they begin, and rows are seen when they commit, in any
  /// order: so it says which transactions are yet to be seen below the highest.
  struct LogCursor: Hashable, Sendable {
    /// Which log it is a place of.
    let log: LogIdentity
    /// The highest number of a transaction of which a row was seen.
    ///
    /// A number that no row has is given again after a crash; that of a row is not.
    private(set) var high: UInt64
    /// The numbers of the transactions below it that were under way.
    private(set) var open: [UInt64]

    /// The place where a log is at the moment.
    ///
    /// - Parameters:
    ///   - log: Which log.
    ///   - high: The highest number of its rows, or of those that were deleted.
    ///   - running: The transactions that were under way then.
    init(_ log: LogIdentity, high: UInt64, running: some Sequence<UInt64>) {
      self.log = log
      self.high = high
      open = running.filter { $0 <= high }.sorted()
    }

    /// Whether a row of a transaction was not seen before.
    func isNew(_ transaction: UInt64) -> Bool {
      transaction > high || open.contains(transaction)
    }

    /// Goes on to where an answer ends.
    ///
    /// - Parameters:
    ///   - seen: The transactions of the rows that are new.
    ///   - running: The transactions that were under way when it was answered.
    mutating func advance(seeing seen: some Sequence<UInt64>, running: some Sequence<UInt64>) {
      self = LogCursor(log, high: max(high, seen.max() ?? 0), running: running)
    }
  }

  /// Which log of which database it is: one that was restored, or made anew, is another.
  struct LogIdentity: Hashable, Sendable {
    /// The cluster of databases.
    let system: String
    /// It changes when a standby takes over, and when an earlier state is restored.
    let timeline: String
    /// It changes when the log is made anew.
    let epoch: String
    /// It changes when rows change in a way that triggers do not see: the type of a column is
    /// altered, triggers are dropped or disabled, a partition is attached.
    let tables: String
  }

  extension LogCursor {
    /// The place as a text.
    var text: String {
      let parts = [
        "2", log.system, log.timeline, log.epoch, log.tables, String(high),
        open.map { String($0) }.joined(separator: ","),
      ]
      return parts.joined(separator: " ")
    }

    /// Reads a place from its text; `nil` where it is none.
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
#endif
