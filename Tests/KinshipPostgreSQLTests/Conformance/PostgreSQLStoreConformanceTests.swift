#if PostgreSQL
  import Kinship
  import KinshipTesting
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestSupport
  import KinshipTestTraits
  import Synchronization
  import Testing

  @Suite(
    .dedicatedThreads,
    .needsServer)
  struct PostgreSQLStoreConformanceTests {
    /// Lists of refs are in tables of their own.
    ///
    /// The family's rows refer to each other in a circle.
    static let schema = """
      CREATE TABLE person (
        id bigint PRIMARY KEY, name text NOT NULL,
        father bigint REFERENCES person DEFERRABLE, mother bigint REFERENCES person DEFERRABLE);
      CREATE TABLE child (person bigint NOT NULL, child bigint NOT NULL, place bigint NOT NULL);
      CREATE TABLE person_event (
        person bigint NOT NULL, event bigint NOT NULL, place bigint NOT NULL);
      CREATE TABLE event (
        id bigint PRIMARY KEY, title text NOT NULL, person bigint NOT NULL, place bigint);
      CREATE TABLE place (id bigint PRIMARY KEY, name text NOT NULL, region bigint);
      CREATE TABLE source (
        id text PRIMARY KEY, title text NOT NULL, author text, year bigint,
        quality float8 NOT NULL, weight float8, "isOriginal" bool NOT NULL, "isPrinted" bool,
        whole text);
      CREATE TABLE citation (
        id bigint PRIMARY KEY, source text NOT NULL, page bigint, text text NOT NULL,
        version bigint NOT NULL);
      CREATE TABLE cited (
        citation bigint NOT NULL, person bigint NOT NULL, place bigint NOT NULL)
      """

    static func store(_ database: TestDatabase) async throws -> PostgreSQLStore {
      try await PostgreSQLStore(
        database.conninfo,
        PostgreSQLTable<TestPerson>(
          "person",
          lists: [
            .toMany(
              \.children, through: "child", from: "person", to: "child", orderedBy: "place"),
            .toMany(
              \.events, through: "person_event", from: "person", to: "event", orderedBy: "place"),
          ]),
        PostgreSQLTable<TestEvent>("event"),
        PostgreSQLTable<TestPlace>("place"),
        PostgreSQLTable<TestSource>("source"),
        PostgreSQLTable<TestCitation>(
          "citation",
          lists: [
            .toMany(
              \.people, through: "cited", from: "citation", to: "person", orderedBy: "place")
          ]))
    }

    @Test(arguments: StoreConformance.Check.allCases)
    func `a PostgreSQL store conforms`(to check: StoreConformance.Check) async throws {
      let databases = Mutex<[TestDatabase]>([])
      try await StoreConformance(storesNUL: false) { contents in
        let database = try TestDatabase.make()
        databases.withLock { $0.append(database) }
        try database.connect().execute(Self.schema)
        let store = try await Self.store(database)
        try await store.apply(contents.insertions)
        return store
      }.run(check)
    }
  }
#endif
