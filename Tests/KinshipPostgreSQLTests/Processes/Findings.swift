#if PostgreSQL
  import KinshipTestSupport
  import KinshipWorker
  import Testing
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport

  /// The contents of the database at the end.
  struct StoredTally {
    var states: [String: Int] = [:]
    var counts = 0
    var receipts: Set<String> = []

    init(_ connection: Connection) throws {
      for (table, key) in [("counter", Tally.Counter.key), ("note", Tally.Note.key)] {
        for row in try connection.query("SELECT id::int8, version FROM \(table)").values() {
          guard case .integer(let id) = row[0], case .integer(let version) = row[1] else {
            continue
          }
          states[key(Int(id))] = Int(version)
        }
      }
      counts = Int(try connection.query("SELECT sum(count)::int8 FROM counter").integer() ?? 0)
      for row in try connection.query("SELECT id FROM receipt").values() {
        if case .text(let name) = row[0] { receipts.insert(name) }
      }
    }
  }

  /// The results of the work of a fleet.
  struct Findings {
    /// The history, with all outcomes known.
    let history: SharedHistory
    let stored: StoredTally
    /// The commits whose reported outcome differs from the actual one.
    let outcomes: [SharedHistory.Violation]
    /// The times when the first worker continued after a stop.
    let wakings: [Int]

    var commits: [SharedHistory.Commit] { history.runs.flatMap(\.commits) }
    var reads: [SharedHistory.Read] { history.runs.flatMap(\.reads) }
    var conflicts: Int { commits.count { $0.outcome == .conflict } }

    /// Whether the process that read had just been stopped, and said itself that its records may be
    /// old: a stopped process runs no timer that drops them.
    private func isOfWaking(_ violation: SharedHistory.Violation) -> Bool {
      guard case .stale("worker 0", let read, _) = violation, read.asOf == nil else { return false }
      return wakings.contains { $0 <= read.end && read.begin < $0 + 100_000_000 }
    }

    /// Expects that there was no violation.
    func verify(sourceLocation: SourceLocation = #_sourceLocation) {
      let violations = (outcomes + history.violations()).filter { !isOfWaking($0) }
      #expect(
        violations.isEmpty, "\(violations.count): \(violations.prefix(3))",
        sourceLocation: sourceLocation)
      let increments = commits.lazy.filter { $0.outcome == .made }.flatMap(\.changes)
        .count { $0.key.hasPrefix(Tally.Counter.letter) }
      #expect(stored.counts == increments, sourceLocation: sourceLocation)
      for run in history.runs {
        for (key, state) in run.held ?? [:] {
          let expected = stored.receipts.contains(key) ? 0 : stored.states[key]
          #expect(state == expected, "\(run.name) holds \(key)", sourceLocation: sourceLocation)
        }
      }
      // Otherwise the test checks nothing.
      #expect(reads.contains { $0.asOf != nil }, sourceLocation: sourceLocation)
      #expect(increments > 0, sourceLocation: sourceLocation)
    }
  }
#endif
