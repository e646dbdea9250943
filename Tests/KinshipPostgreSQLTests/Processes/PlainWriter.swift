#if PostgreSQL
  import Foundation
  import Kinship
  import KinshipTestSupport
  import KinshipWorker
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport

  /// A program without Kinship that writes to the same database by its own SQL.
  final class PlainWriter: Sendable {
    typealias Change = SharedHistory.Change

    private struct State {
      var run = SharedHistory.Run("plain writer")
      var isOver = false
      var hasEnded = false
    }

    private let database: TestDatabase
    private let state = Lock(State())

    init(_ database: TestDatabase, seed: UInt64) {
      self.database = database
      Thread.detachNewThread { [self] in
        var generator = SplitMix64(seed: seed)
        var connection: Connection?
        var number = 0
        while !state.withLock({ $0.isOver }) {
          number += 1
          do {
            let usable =
              try connection ?? database.connect { $0.configuration.connectTimeout = .seconds(3) }
            connection = usable
            try write(number, usable, &generator)
          } catch {
            connection = nil
            if !Self.isExpected(error) { note(surprise: "\(error)") }
          }
          usleep(10_000)
        }
        state.withLock { $0.hasEnded = true }
      }
    }

    func end() { state.withLock { $0.isOver = true } }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// The number of acknowledged commits.
    var count: Int { state.withLock { $0.run.commits.count { $0.outcome == .made } } }

    func run() -> SharedHistory.Run { state.withLock { $0.run } }

    private func note(surprise: String) { state.withLock { $0.run.surprises.append(surprise) } }

    private static func isExpected(_ error: any Error) -> Bool {
      guard let error = error as? PostgreSQLError else { return error is Interruption }
      return error.isConnectionLoss || error.isTimeout || error.isSerializationFailure
    }

    /// Makes one commit.
    private func write(
      _ number: Int, _ connection: Connection, _ generator: inout SplitMix64
    ) throws {
      var commit = SharedHistory.Commit(
        name: "plain-\(number)", begin: monotonicTime(), end: nil, outcome: .refused, changes: [])
      defer { state.withLock { $0.run.commits.append(commit) } }
      do {
        try connection.execute("BEGIN")
        commit.changes = try change(number, connection, &generator)
        try connection.execute("INSERT INTO receipt VALUES ('\(commit.name)')")
        commit.outcome = .unknown
        try connection.execute("COMMIT")
        commit.outcome = .made
        commit.end = monotonicTime()
      } catch {
        if let error = error as? PostgreSQLError, !error.isConnectionLoss, !error.isTimeout {
          commit.outcome = .refused
          try connection.execute("ROLLBACK")
        }
        throw error
      }
    }

    private func change(
      _ number: Int, _ connection: Connection, _ generator: inout SplitMix64
    ) throws -> [Change] {
      let kind = Int.random(in: 0..<20, using: &generator)
      guard kind >= 10 else {
        if kind == 0 {
          // A change that is rolled back leaves nothing behind.
          try connection.execute(
            "SAVEPOINT s; UPDATE counter SET count = 0, version = 0; ROLLBACK TO s")
        }
        let last = Int.random(in: Tally.counters, using: &generator)
        return try Self.increment(
          kind == 1 ? "SELECT generate_series(1, \(last))" : "\(last)", connection)
      }
      // A cascade does not report the rows that it deletes, so they are read and locked before.
      try connection.execute(
        "LOCK TABLE note IN \(kind == 10 ? "ACCESS EXCLUSIVE" : "EXCLUSIVE") MODE")
      let rows = try connection.query("SELECT id::int8, owner::int8, version FROM note")
      var notes: [Int: (owner: Int, version: Int)] = [:]
      for row in try rows.values() {
        guard case .integer(let id) = row[0], case .integer(let owner) = row[1],
          case .integer(let version) = row[2]
        else { continue }
        notes[Int(id)] = (Int(owner), Int(version))
      }
      let owner = Int.random(in: Tally.owners, using: &generator)
      let owned = notes.filter { $0.value.owner == owner }
      func changes(_ notes: [Int: (owner: Int, version: Int)], _ to: (Int) -> Int?) -> [Change] {
        notes.map {
          Change(key: Tally.Note.key($0.key), from: $0.value.version, to: to($0.value.version))
        }
      }
      switch kind {
      case 10:
        try connection.execute("TRUNCATE note")
        return changes(notes) { _ in nil }
      case 11, 12:
        try connection.execute(
          "DELETE FROM owner WHERE id = \(owner); INSERT INTO owner VALUES (\(owner))")
        return changes(owned) { _ in nil }
      case 13..<16:
        try connection.execute(
          "UPDATE note SET stars = stars + 1, version = version + 1 WHERE owner = \(owner)")
        return changes(owned) { $0 + 1 }
      default:
        let version = Tally.firstVersion(writer: 1_000, insertion: number)
        let missing = Tally.notes.filter { notes[$0] == nil && $0.isMultiple(of: 3) }
        let lines = missing.map { "\($0)\t\(owner)\t0\t\(version)\n" }
        _ = try connection.copy("COPY note FROM STDIN", lines.map { Array($0.utf8) })
        return missing.map { Change(key: Tally.Note.key($0), from: nil, to: version) }
      }
    }

    /// Increments counters in the open transaction.
    static func increment(_ ids: String, _ connection: Connection) throws -> [Change] {
      let rows = try connection.query(
        """
        UPDATE counter SET count = count + 1, version = version + 1 WHERE id IN (\(ids))
        RETURNING id::int8, version
        """)
      return try rows.values().compactMap { row in
        guard case .integer(let id) = row[0], case .integer(let version) = row[1] else {
          return nil
        }
        return Change(
          key: Tally.Counter.key(Int(id)), from: Int(version) - 1, to: Int(version))
      }
    }
  }
#endif
