#if PostgreSQL
  import Foundation
  import Kinship
  import KinshipTesting
  import KinshipSQL
  import KinshipTestSupport
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestTraits
  import Testing

  /// The log of a real server.
  @Suite(.dedicatedThreads, .needsServer) struct LogTests {
    static let album = TableName("album")
    static let track = TableName("tr'a\"ck", schema: "oth er")
    static let entry = TableName("entry")
    /// Tracks are in the list of their album.
    ///
    /// Albums are in lists of shelves, by a join table whose rows have ids of two columns too.
    static let tables = [
      TrackedTable(record: "Album", table: album, ids: ["id"]),
      TrackedTable(record: "Album", table: track, ids: ["album"], content: ["id", "place"]),
      TrackedTable(record: "Track", table: track, ids: ["id"]),
      TrackedTable(record: "Entry", table: entry, ids: ["shelf", "album"]),
      TrackedTable(record: "Shelf", table: TableName("shelf"), ids: ["name"]),
      TrackedTable(record: "Shelf", table: entry, ids: ["shelf"], content: ["album"]),
    ]

    let database: TestDatabase
    let connection: Connection

    init() throws {
      database = try TestDatabase.make()
      connection = try Self.prepared(database)
    }

    /// A connection to a database with tables and a log.
    static func prepared(_ database: TestDatabase) throws -> Connection {
      let connection = try database.connect()
      try connection.execute(
        """
        CREATE TABLE album (id int PRIMARY KEY, title text);
        CREATE SCHEMA "oth er";
        CREATE TABLE \(Self.track.sql) (
          id int PRIMARY KEY, album int REFERENCES album ON DELETE CASCADE, place int, name text);
        CREATE TABLE shelf (name text PRIMARY KEY);
        CREATE TABLE entry (
          shelf text REFERENCES shelf ON UPDATE CASCADE, album int, PRIMARY KEY (shelf, album));
        """)
      try connection.execute(TrackingSQL(Self.tables).text)
      return connection
    }

    /// Follows the log.
    struct Follower {
      let connection: Connection
      var cursor: LogCursor?

      init(_ connection: Connection) throws {
        self.connection = connection
        cursor = try connection.changes(since: nil).cursor
      }

      /// The changes since the last call, as texts: records with their ids, sorted.
      mutating func changed() throws -> [String]? {
        let found = try connection.changes(since: cursor)
        cursor = found.cursor
        return found.changes?.map { change in
          change.record + "(" + (change.ids?.sorted().joined(separator: " ") ?? "*") + ")"
        }.sorted()
      }
    }

    @Test func `changes by statements are logged`() throws {
      var follower = try Follower(connection)
      let track = Self.track.sql
      func after(_ sql: String) throws -> [String]? {
        try connection.execute(sql)
        return try follower.changed()
      }
      #expect(
        try after("INSERT INTO album VALUES (1, 'a'), (2, 'b'), (3, 'c')") == ["Album(1 2 3)"])
      #expect(try after("INSERT INTO album SELECT 9 WHERE false") == [])
      #expect(
        try after("INSERT INTO \(track) VALUES (1, 1, 1), (2, 1, 2), (3, NULL, 1)") == [
          "Album(1)", "Track(1 2 3)",
        ])
      // A change that leaves a list as it is does not change its owner.
      #expect(try after("UPDATE \(track) SET name = 'x' WHERE id = 1") == ["Track(1)"])
      #expect(
        try after("UPDATE \(track) SET place = 3 WHERE id = 1") == ["Album(1)", "Track(1)"])
      #expect(
        try after("UPDATE \(track) SET album = 2 WHERE id = 1") == ["Album(1 2)", "Track(1)"])
      #expect(
        try after("UPDATE \(track) SET album = NULL WHERE id = 1") == ["Album(2)", "Track(1)"])
      #expect(try after("UPDATE \(track) SET id = 7 WHERE id = 3") == ["Track(3 7)"])
      #expect(
        try after("INSERT INTO album VALUES (2), (4) ON CONFLICT (id) DO UPDATE SET title = 'n'")
          == ["Album(2)", "Album(4)"])
      #expect(try after("INSERT INTO album VALUES (2) ON CONFLICT DO NOTHING") == [])
      // Changes that the database makes by itself.
      #expect(
        try after("DELETE FROM album WHERE id = 1") == ["Album(1)", "Album(1)", "Track(2)"])
      #expect(
        try after("INSERT INTO shelf VALUES ('s'); INSERT INTO entry VALUES ('s', 2), ('s', 3)")
          == [
            "Entry(2 3 s s)", "Shelf(s)", "Shelf(s)",
          ])
      #expect(
        try after("UPDATE shelf SET name = 't'") == [
          "Entry(2 2 3 3 s s t t)", "Shelf(s t)", "Shelf(s t)",
        ])
      #expect(try after("TRUNCATE \(track)") == ["Album(*)", "Track(*)"])
      #expect(
        try after("INSERT INTO album SELECT generate_series(1000, 12000)") == ["Album(*)"])
      #expect(
        try after(
          """
          BEGIN; INSERT INTO album VALUES (20); SAVEPOINT a; INSERT INTO album VALUES (21);
          ROLLBACK TO a; COMMIT
          """
        )
          == ["Album(20)"])
      #expect(try after("BEGIN; INSERT INTO album VALUES (22); ROLLBACK") == [])
      #expect(
        try after(
          """
          MERGE INTO album a USING (VALUES (20), (23)) v(id) ON a.id = v.id
            WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (v.id)
          """) == ["Album(20)", "Album(23)"])
      let rows = (30...31).map { Array("\($0)\ta\n".utf8) }
      #expect(try connection.copy("COPY album FROM STDIN", rows) == 2)
      #expect(try follower.changed() == ["Album(30 31)"])
    }

    @Test func `ids of several columns are logged in order`() throws {
      let follower = try Follower(connection)
      try connection.execute("INSERT INTO shelf VALUES ('s'), ('t')")
      try connection.execute("INSERT INTO entry VALUES ('s', 2), ('t', 3)")
      let changes = try connection.changes(since: follower.cursor).changes
      let ids = try #require(changes?.first { $0.record == "Entry" }?.ids)
      #expect(ids == ["s", "2", "t", "3"] || ids == ["t", "3", "s", "2"])
    }

    @Test func `the tracking script can be run again and is checked`() throws {
      var follower = try Follower(connection)
      let tracking = TrackingSQL(Self.tables)
      try tracking.check(connection)
      try connection.execute("INSERT INTO album VALUES (1)")
      try connection.execute(tracking.text)
      try tracking.check(connection)
      try connection.execute("INSERT INTO album VALUES (2)")
      #expect(try follower.changed() == ["Album(1)", "Album(2)"])
      // A store may ask for fewer tables than are logged, but not for more.
      try TrackingSQL([TrackedTable(record: "Track", table: Self.track, ids: ["id"])]).check(
        connection)
      func reason(_ tables: [TrackedTable]) -> String? {
        refusal { try TrackingSQL(tables).check(connection) }.map { "\($0)" }
      }
      #expect(
        reason([TrackedTable(record: "Single", table: Self.track, ids: ["id"])])?.contains("Single")
          == true)
      #expect(throws: SQLMappingError.noTable("public.none")) {
        try TrackingSQL([TrackedTable(record: "X", table: TableName("none"), ids: ["id"])]).check(
          connection)
      }
      try connection.execute("CREATE TABLE bare (id int)")
      #expect(
        reason([TrackedTable(record: "Bare", table: TableName("bare"), ids: ["id"])])?.contains(
          "no trigger")
          == true)
      try connection.execute("ALTER TABLE album DISABLE TRIGGER kinship_update")
      #expect(reason(Self.tables)?.contains("disabled") == true)
      try connection.execute("ALTER TABLE album ENABLE ALWAYS TRIGGER kinship_update")
      try tracking.check(connection)
      try connection.execute("DROP TRIGGER kinship_truncate ON album")
      #expect(reason(Self.tables)?.contains("kinship_truncate") == true)
      try connection.execute(tracking.text)
      try tracking.check(connection)
    }

    /// A writer needs no right to the log, and the writer's settings change nothing.
    @Test func `every role's writes are logged`() throws {
      let role = "writer_\(database.name)"
      try connection.execute(
        """
        CREATE ROLE \(role) LOGIN; GRANT INSERT ON album TO \(role);
        CREATE SCHEMA kinship_fake; CREATE TABLE day (d timestamptz PRIMARY KEY);
        GRANT INSERT ON day TO \(role)
        """)
      let day = TrackedTable(record: "Day", table: TableName("day"), ids: ["d"])
      try connection.execute(TrackingSQL([day]).text)
      var follower = try Follower(connection)
      let writer = try Connection(
        ConnectionSettings(
          conninfo: "host=\(database.server.folder)/socket dbname=\(database.name) user=\(role)"),
        types: TypeCatalog())
      try writer.execute(
        "SET search_path = kinship_fake; SET datestyle = 'German'; SET timezone = 'Asia/Tokyo'")
      try writer.execute(
        "INSERT INTO public.album VALUES (1); INSERT INTO public.day VALUES ('2001-01-01Z')")
      #expect(try follower.changed() == ["Album(1)", "Day(2001-01-01 00:00:00+00)"])
      #expect(refusal { try writer.execute("DELETE FROM kinship.change") } != nil)
      try connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)")
    }

    @Test func `the log names the writer of a change`() throws {
      let follower = try Follower(connection)
      try connection.transaction {
        try connection.execute("SET LOCAL kinship.writer = 'a/1'")
        try connection.execute("INSERT INTO album VALUES (1)")
      }
      try connection.execute("INSERT INTO album VALUES (2)")
      let writers = try connection.changes(since: follower.cursor).changes?.map(\.writer)
      #expect(writers == ["a/1", nil])
    }

    /// On a server without other clients, because a transaction in progress in any database may
    /// still need rows.
    @Test func `pruning keeps rows that others have not seen`() throws {
      let server = try PostgreSQLServer()
      defer { server.stop() }
      let database = try server.database()
      let connection = try Self.prepared(database)
      var follower = try Follower(connection)
      let other = try database.connect()
      var slow = try Follower(connection)
      // Rows that a transaction in progress may need are not deleted.
      try other.execute("BEGIN; INSERT INTO album VALUES (1)")
      try connection.execute("INSERT INTO album VALUES (2)")
      #expect(try connection.prune(olderThan: .zero) == 0)
      #expect(try follower.changed() == ["Album(2)"])
      try other.execute("COMMIT")
      #expect(try connection.prune(olderThan: .seconds(60)) == 0)
      #expect(try connection.prune(olderThan: .zero) == 2)
      #expect(try follower.changed() == nil)
      #expect(try slow.changed() == nil)
      #expect(try follower.changed() == [])
      try connection.execute("INSERT INTO album VALUES (3)")
      #expect(try follower.changed() == ["Album(3)"])
      #expect(try slow.changed() == ["Album(3)"])
      #expect(try connection.prune(olderThan: .zero) == 1)
      #expect(try follower.changed() == [])
    }

    @Test func `a recreated log is another log`() throws {
      var follower = try Follower(connection)
      try connection.execute("DELETE FROM kinship.state")
      #expect(refusal { _ = try follower.changed() } != nil)
      try connection.execute("DROP SCHEMA kinship CASCADE; DROP TABLE entry")
      #expect(refusal { _ = try follower.changed() } != nil)
      try connection.execute("CREATE TABLE entry (shelf text, album int)")
      try connection.execute(TrackingSQL(Self.tables).text)
      #expect(try follower.changed() == nil)
      #expect(try follower.changed() == [])
    }

    @Test func `a listener is notified after a commit`() async throws {
      let listener = database.pool(1)
      // At first, because earlier changes are unknown.
      try await listener.run { try $0.waitForNotification() }
      try connection.notify()
      try await listener.run { try $0.waitForNotification() }
      let task = Task { try await listener.run { try $0.waitForNotification(.milliseconds(10)) } }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// Concurrent writers, some slow, some rolling back: each commit is seen once.
    @Test func `every commit is seen exactly once`() async throws {
      let count = max(5, Int(40 * (try Effort()).scale))
      var follower = try Follower(connection)
      let database = database
      var seen: [String: Int] = [:]
      let written = Written()
      let writers = (0..<6).map { writer in
        Task {
          let done = try await Self.write(writer, count, to: database)
          written.results.withLock { $0.append(done) }
        }
      }
      while written.results.withLock({ $0.count }) < writers.count {
        for change in try follower.changed() ?? [] { seen[change, default: 0] += 1 }
        await Task.yield()
      }
      let committed = Set(written.results.withLock { $0.flatMap { $0 } })
      for change in try follower.changed() ?? [] { seen[change, default: 0] += 1 }
      #expect(Set(seen.keys) == committed)
      #expect(seen.values.allSatisfy { $0 == 1 })
      #expect(!committed.isEmpty)
    }

    /// The commits of each writer, when it has ended.
    private final class Written: Sendable {
      let results = Lock<[[String]]>([])
    }

    /// Inserts albums, some slowly, and rolls some back.
    ///
    /// Returns those that remain.
    private static func write(
      _ writer: Int, _ count: Int, to database: TestDatabase
    ) async throws -> [String] {
      struct Stop: Error {}
      let pool = database.pool(1)
      var random = SplitMix64(seed: UInt64(writer))
      var done: [String] = []
      for number in 0..<count {
        let id = writer * 100_000 + number
        let isSlow = Int.random(in: 0..<5, using: &random) == 0
        let fails = Int.random(in: 0..<4, using: &random) == 0
        do {
          try await pool.run { connection in
            try connection.transaction {
              try connection.execute("INSERT INTO album VALUES (\(id))")
              if isSlow { try connection.execute("SELECT pg_sleep(0.02)") }
              if fails { throw Stop() }
            }
          }
          done.append("Album(\(id))")
        } catch is Stop {}
      }
      return done
    }
  }
#endif
