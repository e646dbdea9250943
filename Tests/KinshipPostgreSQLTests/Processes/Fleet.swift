#if PostgreSQL
  import Foundation
  import Kinship
  import KinshipTestSupport
  import KinshipWorker
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport

  /// Processes that read and write one database, each with a cache that follows it, and one writer
  /// without Kinship.
  final class Fleet: Sendable {
    /// The awaited event has not happened.
    struct NeverCame: Error, CustomStringConvertible {
      let description: String
    }

    /// A server that tests may stop and crash, shared by all of them, one at a time.
    static let server = Result { try PostgreSQLServer() }
    /// In milliseconds.
    static let interval = 100
    static let staleness = 700

    let server: PostgreSQLServer
    let database: TestDatabase
    let folder: String
    let workers: [WorkerProcess]
    let writer: PlainWriter
    /// The commits of the test itself.
    private let commits = Shared<[SharedHistory.Commit]>([])
    /// The times when the first worker continued after a stop.
    private let wakings = Shared<[Int]>([])

    init(workers count: Int, seed: UInt64) async throws {
      let server = try Self.server.get()
      let database = try server.database()
      let folder = "\(server.folder)/\(database.name)"
      (self.server, self.database, self.folder) = (server, database, folder)
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try database.connect().execute(Tally.schema)
      let store = try await Tally.store(database.conninfo)
      try await store.execute(store.trackingSQL)
      workers = try (0..<count).map { number in
        try WorkerProcess(
          number, conninfo: database.conninfo, folder: folder, seed: seed &* 100 &+ UInt64(number),
          interval: Self.interval, staleness: Self.staleness)
      }
      writer = PlainWriter(database, seed: seed)
      try await wait("all begin") { $0.workers.allSatisfy { $0.hasSaid("R") } }
    }

    deinit { for worker in workers { worker.end() } }

    /// Waits, but leaves the machine's few cores to the processes.
    func wait(
      _ what: String, until condition: (Fleet) throws -> Bool
    ) async throws {
      while try !condition(self) {
        for worker in workers where worker.hasEndedBefore {
          let (ending, surprises) = (worker.ending, try worker.run().surprises)
          throw NeverCame(
            description: "\(what): worker \(worker.number) has ended: \(ending) \(surprises)")
        }
        try await Task.sleep(for: .milliseconds(5))
      }
    }

    /// Lets all running processes make some operations while the database is reachable, ten for
    /// each dot.
    func work(_ dots: Int) async throws {
      let before = workers.map(\.dots)
      let count = writer.count
      try await wait("\(dots) more dots") { fleet in
        fleet.writer.count > count
          && zip(fleet.workers, before).allSatisfy { !$0.isRunning || $0.dots >= $1 + dots }
      }
    }

    /// Returns a connection for the test, whose statements take as long as the machine needs.
    func connect() throws -> Connection {
      try database.connect {
        $0.configuration.lockTimeout = .zero
        $0.configuration.statementTimeout = .zero
      }
    }

    /// The server processes for some workers that fulfil a condition.
    func backends(_ condition: String = "true") throws -> [Int32] {
      let rows = try connect().query(
        """
        SELECT pid::int8 FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'worker-%' AND \(condition)
        """)
      return try rows.values().compactMap { row in
        if case .integer(let pid) = row[0] { Int32(pid) } else { nil }
      }
    }

    /// Runs SQL.
    ///
    /// If it is in a deadlock with others, it gives way.
    func execute(_ sql: String) throws {
      let connection = try database.connect()
      for attempt in 0..<200 {
        // Shorter than the server needs to find a deadlock.
        try connection.execute("SET lock_timeout = \(min(50 + 10 * attempt, 900))")
        do { return try connection.execute(sql) } catch let error as PostgreSQLError {
          guard error.isSerializationFailure || error.isTimeout else { throw error }
        }
      }
      throw NeverCame(description: sql)
    }

    /// Increments all counters in a transaction that begins with a closure.
    func commit(_ body: (Connection) async throws -> Void) async throws {
      let connection = try connect()
      var commit = SharedHistory.Commit(
        name: "test-\(commits.value.count)", begin: monotonicTime(), end: nil, changes: [])
      try connection.execute("BEGIN")
      try await body(connection)
      commit.changes = try PlainWriter.increment(
        "SELECT generate_series(1, \(Tally.counters.upperBound))", connection)
      try connection.execute("INSERT INTO receipt VALUES ('\(commit.name)')")
      try connection.execute("COMMIT")
      commit.end = monotonicTime()
      let made = commit
      commits.change { $0.append(made) }
    }

    /// Stops the first worker until a body has run, and then continues it.
    ///
    /// The worker is not stopped within a transaction, because the others would wait for it.
    func withStoppedWorker(_ body: () async throws -> Void) async throws {
      try await wait("the first worker is between two transactions") { fleet in
        fleet.workers[0].send(SIGSTOP)
        let isIdle = try fleet.backends("application_name = 'worker-0' AND state <> 'idle'").isEmpty
        if !isIdle { fleet.workers[0].send(SIGCONT) }
        return isIdle
      }
      defer {
        wakings.change { $0.append(monotonicTime()) }
        workers[0].send(SIGCONT)
      }
      try await body()
    }

    /// Stops all work, and compares the reads, the commits and the contents of the caches.
    func rest() async throws -> Findings {
      writer.end()
      for worker in workers where worker.isRunning { try worker.advance() }
      try await wait("all rest") { fleet in
        fleet.writer.hasEnded && fleet.workers.allSatisfy { !$0.isRunning || $0.hasSaid("S") }
      }
      let stored = try StoredTally(connect())
      for worker in workers where worker.isRunning { try worker.advance() }
      try await wait("all catch up") { fleet in
        fleet.workers.allSatisfy { !$0.isRunning || $0.hasSaid("D") }
      }
      var test = SharedHistory.Run("test")
      test.commits = commits.value
      var history = SharedHistory(
        try workers.map { try $0.run() } + [writer.run(), test],
        maximumStaleness: Self.staleness * 1_000_000, lateness: Self.staleness * 1_000_000)
      let outcomes = history.settle(receipts: stored.receipts)
      return Findings(
        history: history, stored: stored, outcomes: outcomes, wakings: wakings.value)
    }
  }

  extension WorkerProcess {
    /// Whether it has ended by itself, and too early.
    fileprivate var hasEndedBefore: Bool { !isRunning && !hasSaid("D") && !wasEnded }
  }
#endif
