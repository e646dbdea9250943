#if PostgreSQL
  import Kinship
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipSync
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  /// Several stores that write to one database at the same time.
  @Suite(
    .dedicatedThreads,
    .needsServer)
  struct SharedWritingTests {
    struct Counter: GraphRecord, Codable, Equatable, Versioned {
      let id: Int
      var count: Int
      var version: Int = 0
    }

    private func store(_ database: TestDatabase) async throws -> PostgreSQLStore {
      try await PostgreSQLStore(database.conninfo, PostgreSQLTable<Counter>("counter"))
    }

    private static let schema = """
      CREATE TABLE counter (id int PRIMARY KEY, count int NOT NULL, version int NOT NULL);
      INSERT INTO counter VALUES (1, 0, 0), (2, 0, 0);
      """

    private func database(_ more: String = "") async throws -> TestDatabase {
      let database = try TestDatabase.make()
      try database.connect().execute(Self.schema + more)
      let store = try await store(database)
      try await store.execute(store.trackingSQL)
      return database
    }

    @Test func `concurrent increments add up`() async throws {
      let database = try await database()
      var caches: [GraphCache] = []
      for _ in 0..<3 {
        caches.append(try GraphCache(for: Counter.self, store: await store(database)))
      }
      let refused = try await withThrowingTaskGroup(of: Int.self) { group in
        for cache in caches {
          group.addTask { try await Self.increment(Ref(1), in: cache) }
          group.addTask { try await Self.increment(Ref(2), in: cache) }
        }
        return try await group.reduce(0, +)
      }
      let rows = try database.connect().query("SELECT sum(count), min(version) FROM counter")
      let cells = PostgreSQLCells(rows)
      #expect(cells.integer(at: 0) == 120)
      #expect(cells.integer(at: 1) == 60)
      #expect(refused > 0, "nobody met anybody")
    }

    /// Increments twenty times, and counts the conflicts.
    private static func increment(_ ref: Ref<Counter>, in cache: GraphCache) async throws -> Int {
      var (made, refused) = (0, 0)
      while made < 20 {
        do {
          try await cache.write { tx in
            try tx.update(ref) {
              $0.count += 1
              $0.version += 1
            }
          }
          made += 1
        } catch let error as KinshipError {
          guard case .conflict = error else { throw error }
          refused += 1
          await cache.invalidate(ref)
        }
      }
      return refused
    }

    /// A backend that is ended while it commits has not committed, and the store finds that out.
    @Test func `a commit without an answer is looked up`() async throws {
      let database = try await database(
        """
        CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_sleep(30); RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER wait AFTER UPDATE ON counter DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION wait();
        """)
      let cache = try GraphCache(for: Counter.self, store: try await store(database))
      let other = try database.connect()
      let write = Task {
        try await cache.write { tx in try tx.update(Ref<Counter>(1)) { $0.count = 7 } }
      }
      try await wait {
        let rows = try? other.query(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE wait_event = 'PgSleep' AND datname = current_database()
          """
        )
        return (rows?.count ?? 0) > 0
      }
      let error = await #expect(throws: KinshipError.self) { try await write.value }
      guard case .commitFailed(let cause)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect((cause as? PostgreSQLError)?.isConnectionLoss == true, "\(cause)")
      #expect(try await cache.resolve(Ref<Counter>(1)).count == 0)
    }

    /// A commit whose answer was lost is recognised as made.
    ///
    /// If the log was recreated meanwhile, the outcome stays unknown.
    @Test(arguments: [false, true])
    func `a commit that succeeded without an answer is recognised`(isLogLost: Bool) async throws {
      let server = try PostgreSQLServer()
      defer { server.stop() }
      let database = try server.database()
      let other = try database.connect()
      try other.execute(Self.schema)
      // A new connection waits as long as another one holds the lock.
      let setup = "SELECT pg_advisory_lock_shared(7); SELECT pg_advisory_unlock_shared(7)"
      let store = try await PostgreSQLStore(
        database.conninfo, PostgreSQLTable<Counter>("counter"),
        configuration: PostgreSQLConfiguration(connections: 1, notifies: false, setup: setup))
      try await store.execute(store.trackingSQL)
      let cache = try GraphCache(for: Counter.self, store: store)
      _ = try await store.changes(since: nil)
      try other.execute("SET synchronous_commit = local")
      // A commit, once made, waits for a standby that does not exist.
      try other.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
      try other.execute("SELECT pg_reload_conf()")
      try await wait {
        PostgreSQLCells(try other.query("SHOW synchronous_standby_names")).text(at: 0) == "nobody"
      }
      // The checkpointer informs the other processes: it reads the setting before a checkpoint.
      for _ in 0..<2 { try other.execute("CHECKPOINT") }
      let write = Task {
        try await cache.write { tx in try tx.update(Ref<Counter>(1)) { $0.count = 7 } }
      }
      let waiting = """
        FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = current_database()
        """
      try await wait { (try? other.query("SELECT 1 \(waiting)").count) ?? 0 > 0 }
      try other.execute("SELECT pg_advisory_lock(7)")
      try await wait {
        // While a process reloads its settings, it does not seem to wait.
        _ = try other.query("SELECT pg_terminate_backend(pid) \(waiting)")
        return try other.query("SELECT 1 FROM kinship.change").count > 0
      }
      if isLogLost {
        try other.execute("UPDATE kinship.state SET epoch = DEFAULT; DELETE FROM kinship.change")
      }
      try other.execute("ALTER SYSTEM RESET synchronous_standby_names")
      try other.execute("SELECT pg_reload_conf()")
      try other.execute("SELECT pg_advisory_unlock(7)")
      if isLogLost {
        let error = await #expect(throws: KinshipError.self) { try await write.value }
        guard case .commitFailed(PostgreSQLError.unknownOutcome)? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      } else {
        #expect(try await write.value.count == 1)
      }
      #expect(try await cache.resolve(Ref<Counter>(1)).count == 7)
    }

    /// A follower learns why it cannot follow, and continues once it can.
    @Test func `a store without a log is followed once it has one`() async throws {
      let database = try TestDatabase.make()
      let other = try database.connect()
      try other.execute(
        """
        CREATE TABLE counter (id int PRIMARY KEY, count int NOT NULL, version int NOT NULL);
        INSERT INTO counter VALUES (1, 0, 0);
        """)
      let store = try await store(database)
      let cache = try GraphCache(for: Counter.self, store: store)
      let following = cache.follow(
        store, limits: FollowingLimits(interval: .milliseconds(10), duringOutage: .serve))
      _ = try await cache.resolve(Ref<Counter>(1))
      try await wait {
        if case .lost(_, let cause as PostgreSQLError) = following.status,
          case .notTracked("public.counter", _) = cause
        {
          true
        } else {
          false
        }
      }
      try other.execute("UPDATE counter SET count = 5")
      try await store.execute(store.trackingSQL)
      try await store.catchUp()
      #expect(try await cache.resolve(Ref<Counter>(1)).count == 5)
    }
  }
#endif
