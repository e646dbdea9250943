#if PostgreSQL
  import Foundation
  import Kinship
  import KinshipSQL
  import KinshipTestSupport
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestTraits
  import Testing

  /// Tests of connections that fail.
  @Suite(.dedicatedThreads, .needsServer) struct FaultTests {
    let database: TestDatabase

    init() throws { database = try TestDatabase.make() }

    private func number(_ connection: Connection) throws -> Int64 {
      try #require(try connection.query("SELECT pg_backend_pid()").integer())
    }

    private func terminate(_ number: Int64, from other: Connection) throws {
      try other.execute("SELECT pg_terminate_backend(\(number), 10000)")
    }

    @Test func `a terminated connection is noticed`() throws {
      let connection = try database.connect()
      let other = try database.connect()
      #expect(connection.isAlive())
      try terminate(try number(connection), from: other)
      #expect(!connection.isAlive())
      #expect(refusal { try connection.execute("SELECT 1") }?.isConnectionLoss == true)
      #expect(connection.isBroken)
      #expect(refusal { try connection.execute("SELECT 1") }?.isConnectionLoss == true)
      #expect(refusal { _ = try connection.pipeline([SQLCommand("SELECT 1")]) } != nil)
    }

    @Test func `the code of a termination is kept`() throws {
      let connection = try database.connect()
      let end = refusal { try connection.execute("SELECT pg_terminate_backend(pg_backend_pid())") }
      #expect(end?.state == SQLSTATE("57P01"))
      #expect(end?.isConnectionLoss == true && connection.isBroken)
      let inPipeline = try database.connect()
      let error = refusal {
        _ = try inPipeline.pipeline([
          SQLCommand("SELECT 1"), SQLCommand("SELECT pg_terminate_backend(pg_backend_pid())"),
          SQLCommand("SELECT 2"),
        ])
      }
      #expect(error?.isConnectionLoss == true && inPipeline.isBroken)
    }

    @Test func `a pool reconnects`() async throws {
      let pool = database.pool(1)
      let first = try await pool.run { try $0.query("SELECT pg_backend_pid()").integer() }
      let other = try database.connect()
      try terminate(try #require(first), from: other)
      let second = try await pool.run { try $0.query("SELECT pg_backend_pid()").integer() }
      #expect(second != nil && second != first)
      // An open transaction is not part of the next use.
      try await pool.run {
        try $0.execute("CREATE TABLE t (id int)")
        try $0.execute("BEGIN; DROP TABLE t")
      }
      #expect(try await pool.run { try $0.query("SELECT count(*) FROM t").integer() } == 0)
    }

    /// Returns the number of connections to this database that wait for an advisory lock.
    private func lockWaiters(_ connection: Connection) throws -> Int64? {
      try connection.query(
        """
        SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
        WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
        """
      ).integer()
    }

    @Test func `waiters for a pool take turns and time out`() async throws {
      let pool = database.pool(1, timeout: .milliseconds(100)) {
        $0.configuration.lockTimeout = .zero
        $0.configuration.statementTimeout = .zero
        $0.answerTimeout = .seconds(86_400)
      }
      let other = try database.connect()
      try other.execute("SELECT pg_advisory_lock(7)")
      let holder = Task { try await pool.run { try $0.execute("SELECT pg_advisory_lock(7)") } }
      try await wait {
        try lockWaiters(other) != 0
      }
      await #expect(throws: PostgreSQLError.timedOut("all connections are in use")) {
        try await pool.run { try $0.execute("SELECT 1") }
      }
      let cancelled = Task { try await pool.run { try $0.execute("SELECT 1") } }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      try other.execute("SELECT pg_advisory_unlock(7)")
      try await holder.value
      try await pool.run { try $0.execute("SELECT 1") }
    }

    @Test func `a statement may time out`() throws {
      // Long enough for the other statements, even on a busy machine.
      let connection = try database.connect { $0.configuration.statementTimeout = .seconds(5) }
      let error = refusal { try connection.execute("SELECT pg_sleep(60)") }
      #expect(error?.isTimeout == true && error?.state == .queryCanceled)
      #expect(try connection.query("SELECT 1").integer() == 1)
    }

    @Test func `a silent server is not waited for for ever`() throws {
      let connection = try database.connect {
        $0.answerTimeout = .seconds(2)
        // The server may be slow to end the statement on a busy machine.
        $0.grace = .seconds(3_600)
      }
      #expect(refusal { try connection.execute("SELECT pg_sleep(60)") }?.isTimeout == true)
      // The statement was ended on the server, and the connection is good.
      #expect(!connection.isBroken)
      #expect(try connection.query("SELECT 1").integer() == 1)
      let pipeline = refusal {
        _ = try connection.pipeline([SQLCommand("SELECT 1"), SQLCommand("SELECT pg_sleep(60)")])
      }
      #expect(pipeline?.isTimeout == true && !connection.isBroken)
      #expect(try connection.query("SELECT 1").integer() == 1)
    }

    @Test(arguments: [false, true])
    func `a cancelled statement ends`(inTransaction: Bool) async throws {
      let pool = database.pool(1)
      let first = try await pool.run { try $0.query("SELECT pg_backend_pid()").integer() }
      let task = Task {
        try await pool.run { connection in
          if inTransaction {
            try connection.transaction {
              try connection.execute("CREATE TABLE t (); SELECT pg_sleep(60)")
            }
          } else {
            _ = try connection.pipeline([SQLCommand("SELECT 1"), SQLCommand("SELECT pg_sleep(60)")])
          }
        }
      }
      try await wait { try database.connect().isSleeping() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      let second = try await pool.run { try $0.query("SELECT pg_backend_pid()").integer() }
      #expect(second == first)
      let tables = try await pool.run {
        try $0.query("SELECT count(*) FROM pg_class WHERE relname = 't'").integer()
      }
      #expect(tables == 0)
    }

    /// A quick statement is not worth a cancellation at the server.
    @Test func `a quick statement is not cancelled on the server`() async throws {
      let pool = database.pool(1) {
        $0.cancellationDelay = .seconds(600)
        $0.configuration.lockTimeout = .zero
      }
      try await pool.run { try $0.execute("CREATE TABLE t (id int)") }
      let other = try database.connect()
      try other.execute("SELECT pg_advisory_lock(8)")
      let task = Task {
        try await pool.run {
          try $0.execute("INSERT INTO t SELECT 1 FROM (SELECT pg_advisory_lock(8)) AS locked")
        }
      }
      try await wait {
        try lockWaiters(other) != 0
      }
      task.cancel()
      try other.execute("SELECT pg_advisory_unlock(8)")
      try await task.value
      #expect(try await pool.run { try $0.query("SELECT count(*) FROM t").integer() } == 1)
    }

    @Test func `a failed transaction changes nothing`() throws {
      struct Stop: Error {}
      let connection = try database.connect()
      try connection.execute(
        "CREATE TABLE t (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
      #expect(throws: Stop.self) {
        try connection.transaction {
          try connection.execute("INSERT INTO t VALUES (1)")
          throw Stop()
        }
      }
      // The commit itself is refused.
      let error = refusal {
        try connection.transaction { try connection.execute("INSERT INTO t VALUES (1), (1)") }
      }
      #expect(error?.isUniqueViolation == true)
      // An error that was ignored.
      let passed = refusal {
        try connection.transaction {
          try connection.execute("INSERT INTO t VALUES (1)")
          try? connection.execute("SELECT 1/0")
        }
      }
      #expect(passed?.state == .failedTransaction)
      #expect(try connection.query("SELECT count(*) FROM t").integer() == 0)
      try connection.transaction("ISOLATION LEVEL SERIALIZABLE") {
        try connection.execute("INSERT INTO t VALUES (1)")
      }
      #expect(try connection.query("SELECT count(*) FROM t").integer() == 1)
    }

    /// The connection ends in the commit, in a deferred trigger: the caller cannot distinguish that
    /// from an end after the commit.
    @Test func `a commit without an answer has an unknown outcome`() throws {
      let connection = try database.connect()
      try connection.execute(
        """
        CREATE TABLE t (id int);
        CREATE FUNCTION end_it() RETURNS trigger LANGUAGE plpgsql AS
          $$BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END$$;
        CREATE CONSTRAINT TRIGGER ending AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION end_it()
        """)
      let error = refusal {
        try connection.transaction { try connection.execute("INSERT INTO t VALUES (1)") }
      }
      #expect(error == .unknownOutcome && connection.isBroken)
      let silent = try database.connect { $0.answerTimeout = .seconds(2) }
      try silent.execute(
        """
        CREATE OR REPLACE FUNCTION end_it() RETURNS trigger LANGUAGE plpgsql AS
          $$BEGIN PERFORM pg_sleep(60); RETURN NULL; END$$
        """)
      let slow = refusal {
        try silent.transaction { try silent.execute("INSERT INTO t VALUES (1)") }
      }
      #expect(slow == .unknownOutcome && silent.isBroken)
    }

    @Test func `large pipelines do not block`() throws {
      let connection = try database.connect()
      try connection.execute("CREATE TABLE t (id int PRIMARY KEY, name text)")
      let large = String(repeating: "x", count: 20_000)
      let commands = try (0..<10_000).map { number in
        SQLCommand(
          number.isMultiple(of: 2)
            ? "INSERT INTO t VALUES ($1, $2) RETURNING name, name"
            : "SELECT $1, $2, $2 || $2",
          [
            try PostgreSQLType.int4.parameter(.integer(Int64(number))),
            try PostgreSQLType.text.parameter(.text(number % 10 < 2 ? large : "a")),
          ])
      }
      let results = try connection.pipeline(commands)
      #expect(results.count == 10_000)
      #expect(results[0].text() == large)
      #expect(results[0].affected == 1)
      #expect(PostgreSQLCells(results[9_991]).text(at: 2) == large + large)
      #expect(results[9_999].integer() == 9_999)
      #expect(try connection.query("SELECT count(*) FROM t").integer() == 5_000)
      #expect(try connection.pipeline([]).isEmpty)
    }

    @Test func `a pipeline is all or nothing and reports the first error`() throws {
      let connection = try database.connect()
      try connection.execute("CREATE TABLE t (id int PRIMARY KEY)")
      let insert = SQLCommand(
        "INSERT INTO t VALUES ($1)", [try PostgreSQLType.int4.parameter(.integer(1))])
      let error = refusal {
        _ = try connection.pipeline([insert, insert, SQLCommand("SELECT 1/0"), SQLCommand("SELEC")])
      }
      #expect(error?.isUniqueViolation == true)
      #expect("\(try #require(error))".contains("INSERT INTO t"))
      #expect(try connection.query("SELECT count(*) FROM t").integer() == 0)
      #expect(try connection.pipeline([insert, SQLCommand("SELECT 2")]).last?.integer() == 2)
      // A statement that was not prepared because of an earlier error is prepared later.
      #expect(try connection.query("SELECT 1").integer() == 1)
      #expect(refusal { _ = try connection.pipeline([SQLCommand("SELEC")]) } != nil)
      let inTransaction = refusal {
        try connection.transaction { _ = try connection.pipeline([insert]) }
      }
      #expect(inTransaction?.isUniqueViolation == true && !connection.isInTransaction)
    }

    @Test func `notifications arrive`() async throws {
      let connection = try database.connect()
      let channel = "a \"channel\""
      try connection.execute("LISTEN \(SQLText.quoted(channel))")
      #expect(try !connection.hasNotifications(until: .now + .milliseconds(20)))
      let other = try database.connect()
      _ = try other.query(
        "SELECT pg_notify($1, $2)",
        [
          PostgreSQLType.text.parameter(.text(channel)),
          PostgreSQLType.text.parameter(.text("x")),
        ])
      #expect(try connection.hasNotifications(until: .now + .seconds(60)))
      try terminate(try number(connection), from: other)
      #expect(
        refusal { _ = try connection.hasNotifications(until: .now + .seconds(60)) }?
          .isConnectionLoss == true)
    }
  }

  extension Connection {
    /// Whether a statement sleeps in the database.
    fileprivate func isSleeping() throws -> Bool {
      try query(
        """
        SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event = 'PgSleep'
        """
      ).integer() == 1
    }
  }
#endif
