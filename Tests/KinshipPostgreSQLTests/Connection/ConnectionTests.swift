#if PostgreSQL
  import Foundation
  import KinshipSQL
  import KinshipTestSupport
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestTraits
  import Testing

  /// The error that a closure throws.
  func refusal(_ body: () throws -> Void) -> PostgreSQLError? {
    do {
      try body()
      return nil
    } catch { return error as? PostgreSQLError }
  }

  @Suite(.dedicatedThreads, .needsServer) struct ConnectionTests {
    let database: TestDatabase

    init() throws { database = try TestDatabase.make() }

    @Test func `statements run and return rows`() throws {
      let connection = try database.connect()
      try connection.execute("CREATE TABLE t (id int, name text); INSERT INTO t VALUES (1, 'a')")
      let parameters = [
        try PostgreSQLType.int4.parameter(.integer(2)),
        try PostgreSQLType.text.parameter(.text("b")),
      ]
      #expect(try connection.query("INSERT INTO t VALUES ($1, $2)", parameters).affected == 1)
      let rows = try connection.query("SELECT id, name, NULL FROM t ORDER BY id")
      #expect(
        try rows.values() == [
          [.integer(1), .text("a"), .null], [.integer(2), .text("b"), .null],
        ])
      #expect(rows.name(of: 1) == "name")
      #expect(rows.name(of: 7) == "")
    }

    @Test func `errors carry codes and names but no values`() throws {
      let connection = try database.connect()
      try connection.execute(
        """
        CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL CHECK (name <> 'secret'));
        INSERT INTO t VALUES (4711, 'a')
        """)
      func insert(_ id: Int64, _ name: SQLValue) throws {
        _ = try connection.query(
          "INSERT INTO t VALUES ($1, $2)",
          [
            PostgreSQLType.int4.parameter(.integer(id)), PostgreSQLType.text.parameter(name),
          ])
      }
      let unique = try #require(refusal { try insert(4711, .text("b")) })
      #expect(unique.isUniqueViolation && unique.isConstraint)
      #expect("\(unique)".contains("t_pkey") && !"\(unique)".contains("4711"))
      let check = try #require(refusal { try insert(1, .text("secret")) })
      #expect(check.state == SQLSTATE("23514"))
      #expect("\(check)".contains("t_name_check") && !"\(check)".contains("secret"))
      let null = try #require(refusal { try insert(1, .null) })
      #expect("\(null)".contains("column “name”"))
      let text = try #require(
        refusal { _ = try connection.query("SELECT name::int FROM t WHERE id = 4711") })
      #expect(text.state == SQLSTATE("22P02") && !"\(text)".contains("\"a\""))
      let raised = try #require(
        refusal { try connection.execute("DO $$BEGIN RAISE '%', 'sec' || 'ret'; END$$") })
      #expect(raised.state == SQLSTATE("P0001") && !"\(raised)".contains("secret"))
      let syntax = try #require(refusal { try connection.execute("SELEC") })
      #expect(syntax.state == SQLSTATE("42601"))
      // A later error says less than the first one.
      #expect(refusal { try connection.execute("SELECT 1/0; SELEC") }?.state == SQLSTATE("42601"))
      #expect(
        refusal { try connection.execute("BEGIN; SELECT 1/0; SELECT 1") }?.state
          == SQLSTATE("22012"))
      try connection.execute("ROLLBACK")
      #expect(try connection.query("SELECT count(*) FROM t").integer() == 1)
    }

    @Test func `hostile names and values are only data`() throws {
      let connection = try database.connect()
      let name = "a\"; DROP TABLE x; --\u{301}'\\ü🜁"
      try connection.execute(
        "CREATE TABLE \(SQLText.quoted(name)) (\(SQLText.quoted(name)) text DEFAULT "
          + SQLText.literal(name) + ")")
      let table = SQLText.quoted(name)
      _ = try connection.query("INSERT INTO \(table) DEFAULT VALUES")
      let value = "'); DROP TABLE x; --\\\u{1}"
      _ = try connection.query(
        "INSERT INTO \(table) VALUES ($1)", [PostgreSQLType.text.parameter(.text(value))])
      let rows = try connection.query("SELECT \(table) FROM \(table)")
      #expect(try rows.values() == [[.text(name)], [.text(value)]])
      #expect(rows.name(of: 0) == name)
      #expect(refusal { _ = try PostgreSQLType.text.parameter(.text("a\0b")) } != nil)
      #expect(refusal { try connection.execute("SELECT 1 \0; SELECT 2") } != nil)
      #expect(refusal { _ = try connection.query("SELECT 1 \0") } != nil)
      #expect(try connection.query("SELECT 1").integer() == 1)
    }

    @Test func `a failed connection is reported without the password`() throws {
      let server = try PostgreSQLServer.shared.get()
      func failure(_ conninfo: String) -> PostgreSQLError? {
        refusal {
          var settings = ConnectionSettings(conninfo: conninfo)
          settings.configuration.connectTimeout = .seconds(2)
          _ = try Connection(settings, types: TypeCatalog())
        }
      }
      let socket = "host=\(server.folder)/socket"
      #expect(failure("\(socket) user=owner dbname=none")?.state == SQLSTATE("3D000"))
      #expect(failure("\(socket) user=nobody dbname=postgres")?.state == SQLSTATE("28000"))
      for conninfo in [
        "host=/nowhere user=owner password=geheim", "host=localhost port=1 password=geheim",
        "password=geheim geheim", "postgresql://owner:geheim@[::1/x",
        "host=/geheim password=geheim", "nonsense=1 password=geheim",
      ] {
        let error = try #require(failure(conninfo))
        #expect(error.isConnectionLoss && error.state == nil)
        #expect(!"\(error)".contains("geheim"), "\(error)")
      }
    }

    @Test func `a wrong password is reported by its code`() throws {
      let server = try PostgreSQLServer()
      let connection = try Connection(
        ConnectionSettings(conninfo: server.conninfo()), types: TypeCatalog())
      try connection.execute("CREATE ROLE guarded LOGIN PASSWORD 'right'")
      let rules = "\(server.folder)/data/pg_hba.conf"
      let others = try String(contentsOfFile: rules, encoding: .utf8)
      let handle = try FileHandle(forWritingTo: URL(filePath: rules))
      try handle.write(
        contentsOf: Data("local all guarded scram-sha-256\n\(others)".utf8))
      try handle.close()
      try connection.execute("SELECT pg_reload_conf()")
      func connect(_ password: String) -> PostgreSQLError? {
        refusal {
          _ = try Connection(
            ConnectionSettings(
              conninfo: "host=\(server.folder)/socket user=guarded dbname=postgres \(password)"),
            types: TypeCatalog())
        }
      }
      // The server reloads its rules a little later.
      while connect("") == nil { usleep(10_000) }
      let wrong = try #require(connect("password=wrong"))
      #expect(wrong.state == SQLSTATE("28P01"))
      #expect(!"\(wrong)".contains("wrong"))
      #expect(try #require(connect("")).isConnectionLoss)
      #expect(connect("password=right") == nil)
      server.stop()
    }

    @Test func `statements are prepared again after a schema change`() throws {
      let connection = try database.connect()
      try connection.execute("CREATE TABLE t (a int); INSERT INTO t VALUES (1)")
      #expect(try connection.query("SELECT * FROM t").values() == [[.integer(1)]])
      try connection.execute("ALTER TABLE t ADD b text DEFAULT 'x'")
      #expect(try connection.query("SELECT * FROM t").values() == [[.integer(1), .text("x")]])
      try connection.execute("DEALLOCATE ALL")
      #expect(try connection.query("SELECT * FROM t").values() == [[.integer(1), .text("x")]])
      // In a transaction, only the next one can succeed.
      try connection.execute("ALTER TABLE t DROP b")
      func read() throws -> [[SQLValue]] {
        try connection.transaction { try connection.query("SELECT * FROM t").values() }
      }
      #expect(refusal { _ = try read() }?.state == .featureNotSupported)
      #expect(try read() == [[.integer(1)]])
    }

    @Test func `old prepared statements are dropped when there are too many`() throws {
      let connection = try database.connect()
      for number in 0..<(3 * Connection.mostStatements) {
        #expect(try connection.query("SELECT \(number)").integer() == Int64(number))
      }
      let kept = try connection.query("SELECT count(*) FROM pg_prepared_statements").integer()
      #expect(try #require(kept) <= Connection.mostStatements)
    }

    @Test func `COPY statements are rejected`() throws {
      for statement in ["COPY (SELECT 1) TO STDOUT", "COPY pg_class FROM STDIN"] {
        let connection = try database.connect()
        #expect(refusal { try connection.execute(statement) } != nil)
        #expect(connection.isBroken || (try? connection.query("SELECT 1")) != nil)
      }
    }

    @Test func `notices are not printed`() throws {
      let connection = try database.connect()
      try connection.execute("DO $$BEGIN RAISE WARNING 'not to be seen'; END$$")
      #expect(try connection.query("SELECT 1").integer() == 1)
    }
  }
#endif
