#if PostgreSQL
  import Foundation
  import KinshipSQL
  import KinshipTestSupport
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestTraits
  import Testing

  /// The log of a server that stops or crashes.
  @Suite(.dedicatedThreads, .needsServer, .serialized) struct LogCrashTests {
    /// After a crash, transaction numbers without a row on the disk are used again.
    ///
    /// The later transactions with these numbers are not missed.
    @Test func `transaction numbers reused after a crash are seen`() throws {
      let server = try PostgreSQLServer()
      defer { server.stop() }
      let database = try server.database()
      var reused = 0
      var place: LogCursor?
      var expected: [[String]] = []
      var round = 0
      // A busy server may have written the numbers to the disk: then none is reused.
      while round < 3 || reused == 0 && round < 30 {
        let connection = try database.connect()
        if round == 0 {
          try connection.execute("CREATE TABLE note (id int PRIMARY KEY)")
          try connection.execute(
            TrackingSQL([TrackedTable(record: "Note", table: TableName("note"), ids: ["id"])]).text)
          place = try connection.changes(since: nil).cursor
        } else {
          let found = try connection.changes(since: place)
          #expect(found.changes?.compactMap(\.ids) == expected)
          place = found.cursor
        }
        expected = []
        try connection.execute("INSERT INTO note VALUES (\(round * 10))")
        expected.append(["\(round * 10)"])
        // Only the snapshot taken meanwhile knows these numbers.
        let others = try (0..<3).map { _ in try database.connect() }
        var last: UInt64 = 0
        for (number, other) in others.enumerated() {
          try other.execute("BEGIN; INSERT INTO note VALUES (\(round * 10 + 5 + number))")
          last = try other.transactionNumber()
        }
        let found = try connection.changes(since: place)
        #expect(found.changes?.compactMap(\.ids) == expected)
        place = LogCursor(text: found.cursor.text)
        expected = []
        for other in others { try other.execute("ROLLBACK") }
        server.end(SIGKILL)
        try server.start()
        let after = try database.connect()
        let next = try after.transaction {
          try after.execute("INSERT INTO note VALUES (\(round * 10 + 1))")
          return try after.transactionNumber()
        }
        expected.append(["\(round * 10 + 1)"])
        if next <= last { reused += 1 }
        round += 1
      }
      // Otherwise the test checks nothing.
      #expect(reused > 0)
      let connection = try database.connect()
      #expect(try connection.changes(since: place).changes?.compactMap(\.ids) == expected)
    }

    /// A standby does not know the transactions in progress.
    ///
    /// After a failover, the new primary may lack the last commits.
    @Test func `a standby has no log, and after a failover it has another`() throws {
      let server = try PostgreSQLServer()
      let standby = try PostgreSQLServer(copying: server)
      defer {
        standby.stop()
        server.stop()
      }
      let connection = try Connection(
        ConnectionSettings(conninfo: server.conninfo()), types: TypeCatalog())
      try connection.execute("CREATE TABLE note (id int PRIMARY KEY)")
      try connection.execute(
        TrackingSQL([TrackedTable(record: "Note", table: TableName("note"), ids: ["id"])]).text)
      try connection.execute("INSERT INTO note VALUES (1)")
      let place = try connection.changes(since: nil).cursor
      let other = try Connection(
        ConnectionSettings(conninfo: standby.conninfo()), types: TypeCatalog())
      while (try? other.query("SELECT count(*) FROM note").integer()) != 1 { usleep(10_000) }
      let refused = refusal { _ = try other.changes(since: place) }
      #expect(refused?.state == SQLSTATE("55000"))
      server.end(SIGQUIT)
      try other.execute("SELECT pg_promote(true, 60)")
      #expect(try other.changes(since: place).changes == nil)
      try other.execute("INSERT INTO note VALUES (2)")
      let found = try other.changes(since: other.changes(since: nil).cursor)
      #expect(found.changes == [])
    }

    @Test func `shutdowns are reported by code and a pool recovers`() async throws {
      let server = try PostgreSQLServer()
      defer { server.stop() }
      let database = try server.database()
      let pool = database.pool(2) { $0.configuration.connectTimeout = .seconds(30) }
      for (signal, codes) in [
        (SIGINT, ["57P01"]), (SIGQUIT, ["57P01", "57P02"]), (SIGKILL, []),
      ] {
        let task = Task { try await pool.run { try $0.execute("SELECT pg_sleep(60)") } }
        let connection = try database.connect()
        try await wait {
          try connection.query(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
          ).integer() == 1
        }
        server.end(signal)
        let error = await #expect(throws: PostgreSQLError.self) { try await task.value }
        #expect(error?.isConnectionLoss == true)
        if let state = error?.state { #expect(codes.isEmpty || codes.contains("\(state)")) }
        #expect(signal != SIGINT || error?.state != nil)
        let down = await #expect(throws: PostgreSQLError.self) {
          try await pool.run { try $0.execute("SELECT 1") }
        }
        #expect(down?.isConnectionLoss == true)
        try server.start()
        #expect(try await pool.run { try $0.query("SELECT 1").integer() } == 1)
      }
    }
  }
#endif
