#if PostgreSQL
  import Foundation
  import Kinship
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  /// Every reader sees the rows as the database stored them, including its own changes to a commit.
  @Suite(.dedicatedThreads, .needsServer)
  struct PostgreSQLEffectsTests {
    private static func store(_ database: TestDatabase) async throws -> PostgreSQLStore {
      try database.connect().execute(Ledger.postgreSQLSchema)
      return try await PostgreSQLStore(
        database.conninfo, Ledger.accounts, Ledger.tags, Ledger.entries, Ledger.memos)
    }

    struct Pot: GraphRecord, Codable, Equatable {
      let id: Int
      var total: Int
    }

    @Test(arguments: [false, true])
    func `memory agrees with the database after each commit`(isTracked: Bool) async throws {
      for seed in try Effort().seeds(8) {
        let database = try TestDatabase.make()
        let store = try await Self.store(database)
        if isTracked { try await store.execute(store.trackingSQL) }
        var generator = SplitMix64(seed: seed)
        let differences = try await Ledger.differences(store, operations: 60, using: &generator)
        #expect(differences == [], "seed \(seed) in \(database.conninfo)")
      }
    }

    @Test func `an insertion that was rounded can be undone and redone`() async throws {
      let database = try TestDatabase.make()
      let cache = try Ledger.cache(await Self.store(database))
      let undo = UndoStack(cache)
      for number in 0..<8 {
        let at = Date(timeIntervalSinceReferenceDate: 817_000_000.1 + Double(number) * 0.0123456)
        try await undo.write { tx in
          try tx.insert(Ledger.Account(id: number, name: " a "))
          try tx.insert(
            Ledger.Entry(id: number, account: nil, at: at, amount: Decimal(number) / 7))
        }
        await cache.removeAll()
        try await undo.undo()
        #expect(try await cache.find(Ref<Ledger.Entry>(number)) == nil)
        try await undo.redo()
        #expect(try await cache.find(Ref<Ledger.Account>(number))?.label == "a:\(number)")
      }
      try database.connect().execute("SELECT 1")
    }

    @Test func `triggers created while the store is open are noticed`() async throws {
      let database = try TestDatabase.make()
      let other = try database.connect()
      try other.execute("CREATE TABLE pot (id int PRIMARY KEY, total int)")
      let effects = KnownSideEffects()
      let now = ContinuousClock.now
      #expect(try !effects.current(in: other, now: now).hasTriggers)
      let trigger = """
        CREATE FUNCTION add() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN NEW.total := NEW.total + 1; RETURN NEW; END';
        CREATE TRIGGER add BEFORE INSERT ON pot FOR EACH ROW EXECUTE FUNCTION add()
        """
      let store = try await PostgreSQLStore(database.conninfo, PostgreSQLTable<Pot>("pot"))
      let cache = try GraphCache(for: Pot.self, store: store)
      try await cache.write { tx in try tx.insert(Pot(id: 1, total: 1)) }
      try await store.execute(trigger)
      try await cache.write { tx in try tx.insert(Pot(id: 2, total: 1)) }
      #expect(try await cache.find([1, 2] as [Ref<Pot>]).map { $0?.total } == [1, 2])
      #expect(try !effects.current(in: other, now: now + .milliseconds(999)).hasTriggers)
      #expect(try effects.current(in: other, now: now + .seconds(1)).hasTriggers)
    }

    /// Two commits each withdraw from one of two accounts, if a trigger's check of both allows it.
    private static func totalAfterTwoWithdrawals(isSerializable: Bool) async throws -> Decimal {
      let database = try TestDatabase.make()
      let other = try database.connect()
      try other.execute(
        """
        CREATE TABLE account (id int PRIMARY KEY, total int NOT NULL);
        INSERT INTO account VALUES (1, 50), (2, 50);
        CREATE FUNCTION check_total() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF (SELECT sum(total) FROM account WHERE id <> NEW.id) + NEW.total < 0 THEN
            RAISE 'overdrawn' USING ERRCODE = 'check_violation';
          END IF;
          PERFORM pg_advisory_xact_lock_shared(1);
          RETURN NEW;
        END $$;
        CREATE TRIGGER check_total BEFORE UPDATE ON account
          FOR EACH ROW EXECUTE FUNCTION check_total()
        """)
      try other.execute("SELECT pg_advisory_lock(1)")
      var withdrawals: [Task<Void, any Error>] = []
      for id in [1, 2] {
        let store = try await PostgreSQLStore(
          database.conninfo, PostgreSQLTable<Pot>("account"),
          configuration: PostgreSQLConfiguration(
            statementTimeout: .zero, lockTimeout: .zero, isSerializable: isSerializable))
        let cache = try GraphCache(for: Pot.self, store: store)
        withdrawals.append(
          Task { try await cache.write { try $0.update(Ref<Pot>(id), \.total, to: -50) } })
      }
      var waiting = 0
      for _ in 0..<12_000 where waiting < 2 {
        try await Task.sleep(for: .milliseconds(5))
        waiting = try other.query(
          """
          SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
          WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
          """, []
        ).count
      }
      try #require(waiting == 2, "both commits wait for the lock")
      try other.execute("SELECT pg_advisory_unlock(1)")
      for withdrawal in withdrawals { _ = await withdrawal.result }
      let rows = try other.query("SELECT sum(total)::int8 FROM account", [])
      return Decimal(PostgreSQLCells(rows).integer(at: 0) ?? 0)
    }

    @Test func `one of two serializable commits that break a rule together fails`() async throws {
      #expect(try await Self.totalAfterTwoWithdrawals(isSerializable: false) == -100)
      #expect(try await Self.totalAfterTwoWithdrawals(isSerializable: true) == 0)
    }

    @Test func `unmapped keys in JSON are kept`() async throws {
      let database = try TestDatabase.make()
      let store = try await Self.store(database)
      let cache = try Ledger.cache(store)
      try await store.execute(
        """
        INSERT INTO account (id, name, total, info) VALUES
          (1, 'a', 0, '{"city":"Bonn","zip":"53111","place":{"street":"A","number":7}}')
        """)
      try await cache.write { tx in try tx.update(Ref<Ledger.Account>(1), \.info.city, to: "Köln") }
      let rows = try database.connect().query(
        """
        SELECT (info = '{"city":"Köln","zip":"53111","place":{"street":"A","number":7}}')::text
        FROM account
        """, [])
      #expect(PostgreSQLCells(rows).text(at: 0) == "true")
    }
  }
#endif
