#if PostgreSQL
  @testable import KinshipPostgreSQL
  import KinshipTesting
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  /// The events of a database with a log, as a cursor sees them.
  enum LogCommand: Command {
    /// A transaction gets a number, and perhaps logs a change.
    case begin(Int, logs: Bool)
    case commit(Int)
    case rollBack(Int)
    case poll
    case prune
    /// All running transactions end, and numbers without a row on the disk are used again.
    case crash
    /// The cursor is written as text and parsed again.
    case restore
  }

  /// A database with a log, and its follower.
  struct LogModel {
    struct Mistake: Error { let text: String }

    private static let log = LogIdentity(system: "7", timeline: "00000001", epoch: "e", tables: "t")
    private var next: UInt64 = 10
    private var pruned: UInt64 = 10
    /// The transactions in progress, by their slots.
    ///
    /// Each row is known by a serial number.
    private var running: [Int: (number: UInt64, row: Int?)] = [:]
    private var lastRow = 0
    private var rows: [(number: UInt64, row: Int)] = []
    private var committed: Set<Int> = []
    private var seen: Set<Int> = []
    private var cursor: LogCursor?

    init() throws {
      try apply(.poll)
    }

    private func answer() -> LogAnswer {
      LogAnswer(
        log: Self.log, high: max(pruned, rows.map(\.number).max() ?? 0),
        running: running.values.map(\.number).shuffled(), pruned: pruned,
        rows: rows.map {
          LogRow(
            transaction: $0.number,
            change: LogChange(record: "R", ids: [String($0.row)], writer: nil))
        })
    }

    mutating func apply(_ command: LogCommand) throws {
      switch command {
      case .begin(let slot, let logs):
        guard running[slot] == nil else { return }
        next += 1
        if logs { lastRow += 1 }
        running[slot] = (next, logs ? lastRow : nil)
      case .commit(let slot):
        guard let ended = running.removeValue(forKey: slot), let row = ended.row else { return }
        rows.append((ended.number, row))
        committed.insert(row)
      case .rollBack(let slot): running[slot] = nil
      case .crash:
        running = [:]
        next = max(pruned, rows.map(\.number).max() ?? 0)
      case .prune:
        let oldest = running.values.map(\.number).min() ?? next + 1
        let old = rows.filter { $0.number < oldest }
        rows.removeAll { $0.number < oldest }
        pruned = max(pruned, old.map(\.number).max() ?? 0)
      case .poll: try poll()
      case .restore:
        guard let text = cursor?.text, LogCursor(text: text) == cursor else {
          throw Mistake(text: "the text of a cursor is not the cursor")
        }
      }
    }

    private mutating func poll() throws {
      let found = answer().changes(since: cursor)
      cursor = found.cursor
      guard let changes = found.changes else {
        seen = committed
        return
      }
      for change in changes {
        guard let row = change.ids?.first.flatMap({ Int($0) }) else { continue }
        guard seen.insert(row).inserted else { throw Mistake(text: "row \(row) came twice") }
      }
      guard seen == committed else {
        throw Mistake(text: "rows \(committed.subtracting(seen)) did not come")
      }
    }
  }

  @Suite(.dedicatedThreads)
  struct LogCursorTests {
    /// So few slots that short lists use them twice.
    static let commands: [LogCommand] = [
      .begin(0, logs: true), .begin(1, logs: true), .commit(0), .commit(1), .rollBack(0), .poll,
      .prune, .crash,
    ]

    @Test func `every short history is seen exactly once`() throws {
      try Property.checkEvery(of: Self.commands, upTo: 5) {
        try LogModel()
      } apply: {
        try $0.apply($1)
        try $0.apply(.restore)
        var copy = $0
        try copy.apply(.poll)
      }
    }

    @Test func `long histories are seen exactly once`() throws {
      try Property.check(seeds: 200, steps: 200) { random in
        let slot = Int.random(in: 0..<6, using: &random)
        return switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: LogCommand.begin(slot, logs: Bool.random(using: &random))
        case 6..<11: .commit(slot)
        case 11..<13: .rollBack(slot)
        case 13..<18: .poll
        case 18: .prune
        default: Int.random(in: 0..<3, using: &random) == 0 ? .crash : .restore
        }
      } system: { _ in
        try LogModel()
      } apply: {
        try $0.apply($1)
      }
    }

    @Test func `another log is noticed`() throws {
      let log = LogIdentity(system: "1", timeline: "2", epoch: "3", tables: "4")
      let cursor = LogCursor(log, high: 5, running: [3, 9])
      #expect(cursor.text == "2 1 2 3 4 5 3")
      func answer(_ log: LogIdentity, pruned: UInt64 = 2, high: UInt64 = 5) -> LogChanges {
        LogAnswer(log: log, high: high, running: [], pruned: pruned, rows: [])
          .changes(since: cursor)
      }
      #expect(answer(log).changes == [])
      #expect(answer(log, pruned: 3).changes == nil)
      #expect(answer(log, pruned: 6).changes == nil)
      // An older copy has replaced the data.
      #expect(answer(log, high: 4).changes == nil)
      for other in [
        LogIdentity(system: "9", timeline: "2", epoch: "3", tables: "4"),
        LogIdentity(system: "1", timeline: "9", epoch: "3", tables: "4"),
        LogIdentity(system: "1", timeline: "2", epoch: "9", tables: "4"),
        LogIdentity(system: "1", timeline: "2", epoch: "3", tables: "9"),
      ] {
        #expect(answer(other).changes == nil)
        #expect(answer(other).cursor.log == other)
      }
      for text in [
        "", "2", "1 1 2 3 4 5 3", "2 1 2 3 4 x 3", "2 1 2 3 4 5 6", "2 1 2 3 4 5 a",
        "2 1 2 3 4 5 3 ", "2 1 2 3 5 3",
      ] {
        #expect(LogCursor(text: text) == nil)
      }
    }
  }
#endif
