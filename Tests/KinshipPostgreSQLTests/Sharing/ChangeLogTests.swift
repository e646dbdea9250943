#if PostgreSQL
  import Foundation
  import Kinship
  import KinshipSQL
  import KinshipSync
  import KinshipTestSupport
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestTraits
  import Testing

  @Suite(.dedicatedThreads, .needsServer) struct ChangeLogTests {
    let database: TestDatabase
    let connection: Connection

    init() throws {
      database = try TestDatabase.make()
      connection = try database.connect()
      try connection.execute("CREATE TABLE note (id int PRIMARY KEY)")
      try connection.execute(Self.tracking.text)
    }

    private static var tracking: TrackingSQL {
      TrackingSQL([TrackedTable(record: "Note", table: TableName("note"), ids: ["id"])])
    }

    private func log(retention: Duration = .seconds(3600)) async throws -> StoreLog {
      let pool = database.pool(1)
      var configuration = PostgreSQLConfiguration()
      configuration.retention = retention
      let log = StoreLog(
        Self.tracking, pool, asking: pool,
        listener: Server(database.settings(), types: TypeCatalog()), configuration)
      try #require(try await log.open() == false)
      return log
    }

    /// Statements that change rows without a trigger.
    @Test(arguments: [
      "ALTER TABLE note ALTER id TYPE bigint USING id + 1",
      "ALTER TABLE note ALTER id TYPE int USING id + 1",
      "ALTER TABLE note DISABLE TRIGGER kinship_update; UPDATE note SET id = id + 1; "
        + "ALTER TABLE note ENABLE TRIGGER kinship_update",
      "DROP TRIGGER kinship_update ON note; CREATE OR REPLACE TRIGGER kinship_update AFTER UPDATE "
        + "ON note REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT "
        + "EXECUTE FUNCTION log()",
      "CREATE TABLE more (id int PRIMARY KEY); INSERT INTO more VALUES (7); "
        + "ALTER TABLE more INHERIT note",
    ])
    func `a change that no trigger sees counts as a change of everything`(sql: String) async throws
    {
      let function = TrackingSQL.functionName(of: TableName("note"))
      let log = try await log()
      try connection.execute("INSERT INTO note VALUES (1)")
      let cursor = StoreCursor(try await log.changes(since: nil).cursor.text)
      try connection.execute(sql.replacingOccurrences(of: "log()", with: "\(function)()"))
      let changes = try await log.changes(since: cursor)
      #expect(changes.changes == nil)
      #expect(try await log.changes(since: StoreCursor(changes.cursor.text)).changes == [])
    }

    @Test(arguments: [
      "DROP TRIGGER kinship_update ON note", "ALTER TABLE note DISABLE TRIGGER kinship_update",
    ])
    func `a table that is no longer tracked is noticed`(sql: String) async throws {
      let log = try await log()
      let cursor = StoreCursor(try await log.changes(since: nil).cursor.text)
      try connection.execute(sql)
      for _ in 0..<2 {
        await #expect(throws: PostgreSQLError.self) { try await log.changes(since: cursor) }
      }
      try connection.execute(Self.tracking.text)
      try connection.execute("ALTER TABLE note ENABLE TRIGGER kinship_update")
      #expect(try await log.changes(since: cursor).changes == nil)
    }

    @Test func `the log lists the changes since a cursor`() async throws {
      let log = try await log()
      try connection.execute("INSERT INTO note VALUES (1)")
      let first = try await log.changes(since: nil)
      #expect(first.changes == [LogChange(record: "Note", ids: ["1"], writer: nil)])
      let cursor = StoreCursor(first.cursor.text)
      #expect(try await log.changes(since: cursor).changes == [])
      try connection.execute("INSERT INTO note VALUES (2)")
      // Another store continues from the place of the first.
      let other = try await self.log()
      #expect(try await other.changes(since: nil).changes == [])
      #expect(try await other.changes(since: cursor).changes?.map(\.ids) == [["2"]])
      #expect(try await other.changes(since: StoreCursor("nonsense")).changes == nil)
    }

    @Test func `old rows are deleted from time to time`() async throws {
      let log = try await log(retention: .milliseconds(1))
      try connection.execute("INSERT INTO note VALUES (1)")
      try await wait {
        _ = try await log.changes(since: nil)
        return try connection.query("SELECT count(*) FROM kinship.change").integer() == 0
      }
    }

    @Test func `a store is notified while statements hold all connections`() async throws {
      struct Note: GraphRecord, Codable { let id: Int }
      let store = try await PostgreSQLStore(
        database.conninfo, PostgreSQLTable<Note>("note"),
        configuration: PostgreSQLConfiguration(
          connections: 2, poolTimeout: .seconds(3_600), statementTimeout: .zero))
      try await store.execute(store.trackingSQL)
      let place = try await store.changes(since: nil).cursor
      let statements = (0..<2).map { _ in
        Task { try await store.execute("SELECT pg_sleep(3600)") }
      }
      try await wait {
        try connection.query(
          "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
            + " AND datname = current_database()"
        ).integer() == 2
      }
      try connection.execute("INSERT INTO note VALUES (1)")
      #expect(try await store.changes(since: place).changes.count == 1)
      for statement in statements {
        statement.cancel()
        _ = await statement.result
      }
    }

    @Test func `a notification reaches all waiters and a cancelled one ends`() async throws {
      let log = try await log()
      try await log.waitForChange()
      let waiters = (0..<3).map { _ in Task { try await log.waitForChange() } }
      let cancelled = Task { try await log.waitForChange() }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      let others = database.pool(1)
      let notifier = Task {
        // Repeated, because a listener may have come late.
        while !Task.isCancelled {
          try await others.run { try $0.notify() }
          try await Task.sleep(for: .milliseconds(5))
        }
      }
      for waiter in waiters { try await waiter.value }
      notifier.cancel()
      // A notification that arrives while no task waits is not lost.
      try connection.notify()
      try await log.waitForChange()
    }

    @Test func `a listener learns of a lost connection and may continue`() async throws {
      let log = try await log()
      try await log.waitForChange()
      let failure = Task {
        while true {
          do { try await log.waitForChange() } catch { return error }
        }
      }
      let others = database.pool(1)
      let killer = Task {
        while !Task.isCancelled {
          try await others.run {
            try $0.execute(
              """
              SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
              WHERE datname = current_database() AND query LIKE 'LISTEN%'
              """)
          }
        }
      }
      #expect(await failure.value as? PostgreSQLError != nil)
      killer.cancel()
      _ = await killer.result
      // It connects again, and returns at once.
      try await log.waitForChange()
    }

    /// The triggers' log does not depend on session settings that they do not set themselves.
    @Test func `logged texts do not depend on session settings`() throws {
      let other = try database.connect()
      try other.execute(
        """
        SET datestyle = 'German, DMY'; SET timezone = 'Asia/Tokyo'; SET bytea_output = 'escape';
        SET extra_float_digits = -5; SET intervalstyle = 'iso_8601'; SET xmloption = 'content'
        """)
      var (plain, others) = (0, 0)
      for value in [
        "true", "(-5)::int2", "7::int4", "7::int8", "7::oid", "1.50::numeric", "'ü'::text",
        "'a'::char(3)", "'a'::\"char\"", "'x'::name", "'{\"a\": 0.1}'::json",
        "'8f0e1b9c-0000-4000-8000-000000000001'::uuid", "0.123456789::float4",
        "(0.1::float8 + 0.2)", "'\\x00ff'::bytea", "'2001-02-03'::date",
        "'2001-02-03 04:05Z'::timestamptz",
      ] {
        let sql = "SELECT \(value), concat(\(value))"
        let (rows, set) = (try connection.query(sql), try other.query(sql))
        let text = try rows.value(0, 1)
        let isSame = try text == set.value(0, 1)
        let isPlain = rows.columns[0].kind.isPlain
        #expect(isSame || !isPlain, "\(value)")
        if isPlain { plain += 1 } else if !isSame { others += 1 }
      }
      #expect(plain == 12 && others == 5)
      // Only tables with other ids have functions with settings.
      for isPlain in [false, true] {
        let table = TrackedTable(
          record: "Note", table: TableName("note"), ids: ["id"], isPlain: isPlain)
        try connection.execute(TrackingSQL([table]).text)
        let set = try connection.query(
          "SELECT array_length(proconfig, 1)::int8 FROM pg_proc WHERE prosrc LIKE '%''Note''%'")
        #expect(set.integer() == (isPlain ? 1 : 6))
      }
    }

    @Test func `texts of ids are parsed`() throws {
      try connection.types.reload(connection)
      let rows = try connection.query(
        """
        SELECT true, (-5)::int2, 7::int8, 0.1::float4, 1e300::float8, 1.50::numeric, 'ü'::text,
          'a'::char(3), gen_random_uuid(), '\\x00ff'::bytea, '12:00'::time, 'x'::name
        """)
      for column in rows.columns.indices {
        let value = try rows.value(0, column)
        let type = rows.columns[column]
        let text = try connection.query("SELECT concat($1)", [type.parameter(value)])
        #expect(type.kind.value(ofText: try #require(text.text())) == value, "\(type.name)")
      }
      for (kind, text) in [
        (PostgreSQLType.Kind.bool, "x"), (.int4, "x"), (.uuid, "1"), (.bytea, "00"),
        (.bytea, "\\x0"), (.bytea, "\\x0g"), (.date, "2001-01-01"), (.other, ""),
      ] {
        #expect(kind.value(ofText: text) == nil)
      }
    }
  }
#endif
