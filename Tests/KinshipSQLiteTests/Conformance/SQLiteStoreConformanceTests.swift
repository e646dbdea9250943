#if SQLite
  import Kinship
  import KinshipTesting
  import KinshipSQLite
  import KinshipTestSupport
  import KinshipTestTraits
  import Synchronization
  import Testing

  @testable import KinshipStoreTestSupport

  @Suite(.dedicatedThreads)
  struct SQLiteStoreConformanceTests {
    /// Lists of refs are in tables of their own.
    ///
    /// The family's rows refer to each other in a circle.
    static let schema = """
      CREATE TABLE person (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, father INTEGER REFERENCES person,
        mother INTEGER REFERENCES person);
      CREATE TABLE child (person INTEGER NOT NULL, child INTEGER NOT NULL, place INTEGER NOT NULL);
      CREATE TABLE person_event (
        person INTEGER NOT NULL, event INTEGER NOT NULL, place INTEGER NOT NULL);
      CREATE TABLE event (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, person INTEGER NOT NULL, place INTEGER);
      CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT NOT NULL, region INTEGER);
      CREATE TABLE source (
        id TEXT PRIMARY KEY, title TEXT NOT NULL, author TEXT, year INTEGER, quality REAL NOT NULL,
        weight REAL, isOriginal INTEGER NOT NULL, isPrinted INTEGER, whole TEXT);
      CREATE TABLE citation (
        id INTEGER PRIMARY KEY, source TEXT NOT NULL, page INTEGER, text TEXT NOT NULL,
        version INTEGER NOT NULL);
      CREATE TABLE cited (
        citation INTEGER NOT NULL, person INTEGER NOT NULL, place INTEGER NOT NULL)
      """

    static func store(at path: String) throws -> SQLiteStore {
      try SQLiteStore(
        at: path,
        SQLiteTable<TestPerson>(
          "person",
          lists: [
            .toMany(
              \.children, through: "child", from: "person", to: "child", orderedBy: "place"),
            .toMany(
              \.events, through: "person_event", from: "person", to: "event", orderedBy: "place"),
          ]),
        SQLiteTable<TestEvent>("event"),
        SQLiteTable<TestPlace>("place"),
        SQLiteTable<TestSource>("source"),
        SQLiteTable<TestCitation>(
          "citation",
          lists: [
            .toMany(
              \.people, through: "cited", from: "citation", to: "person", orderedBy: "place")
          ]),
        configuration: SQLiteConfiguration(synchronous: .off, setup: schema))
    }

    @Test(arguments: StoreConformance.Check.allCases)
    func `a database in memory conforms`(to check: StoreConformance.Check) async throws {
      try await StoreConformance { contents in
        let store = try Self.store(at: ":memory:")
        try await store.apply(contents.insertions)
        return store
      }.run(check)
    }

    /// The triggers log all changes.
    @Test(arguments: StoreConformance.Check.allCases)
    func `a tracked database conforms`(to check: StoreConformance.Check) async throws {
      try await StoreConformance { contents in
        let store = try Self.store(at: ":memory:")
        try await store.installTracking()
        try await store.apply(contents.insertions)
        return store
      }.run(check)
    }

    @Test func `a row that is not a record affects no other`() async throws {
      try await StoreConformance.verifyUnreadable(findsByColumn: true) { contents in
        let store = try Self.store(at: ":memory:")
        try await store.apply(contents.insertions)
        try await store.execute("UPDATE person SET name = x'00' WHERE id = 2")
        return store
      }
    }

    /// Others read while one writes.
    @Test(arguments: StoreConformance.Check.allCases)
    func `a database in a file conforms`(to check: StoreConformance.Check) async throws {
      let databases = Mutex<[TemporaryDatabase]>([])
      try await StoreConformance { contents in
        let database = TemporaryDatabase()
        databases.withLock { $0.append(database) }
        let store = try Self.store(at: database.path)
        try await store.apply(contents.insertions)
        return store
      }.run(check)
    }
  }
#endif
