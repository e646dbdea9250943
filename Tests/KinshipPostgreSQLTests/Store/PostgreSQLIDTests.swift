#if PostgreSQL
  import Kinship
  import KinshipSync
  import KinshipTesting
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestTraits
  import Testing

  /// Ids are equal if Swift says so, whatever a database says.
  @Suite(.dedicatedThreads, .needsServer) struct PostgreSQLIDTests {
    struct Place: GraphRecord, Codable, Equatable {
      let id: String
      var name: String
      var parent: Ref<Place>?

      static let relationships: Relationships<Place> = [.toOne(\.parent)]
    }

    private static let setup = """
      CREATE COLLATION anycase (
        provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      """

    private static func text(_ random: inout SplitMix64) -> String {
      let parts = ["a", "A", "b", "\u{E9}", "e\u{301}", "\u{4E2D}", "1"]
      return (0..<Int.random(in: 1...3, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? "a"
      }.joined()
    }

    @Test(arguments: [
      ("text", "text"), ("text COLLATE anycase", "text"), ("text", "text COLLATE anycase"),
      ("varchar(9) COLLATE \"C\"", "text"), ("char(9)", "char(9)"), ("char(9)", "text"),
    ])
    func `records are found by equal ids and by no other`(id: String, parent: String) async throws {
      let database = try TestDatabase.make()
      let connection = try database.connect()
      try connection.execute(
        "\(Self.setup) CREATE TABLE place (id \(id), name text, parent \(parent))")
      let store = try await PostgreSQLStore(
        database.conninfo, PostgreSQLTable<Place>("place"))
      let schema = try GraphSchema(Place.self)
      var random = SplitMix64(seed: 11)
      for _ in 0..<10 {
        try connection.execute("TRUNCATE place")
        let ids = Set((0..<20).map { _ in Self.text(&random) })
        let places = ids.map { Place(id: $0, name: $0, parent: Ref(Self.text(&random))) }
        let model = MemoryStore(places)
        try await store.apply(ChangeSet(inserting: places))
        let asked = Array(Set((0..<20).map { _ in Self.text(&random) }))
        let expected = Set(try await model.fetch(Place.self, ids: asked).map(\.id))
        #expect(Set(try await store.fetch(Place.self, ids: asked).map(\.id)) == expected)
        let graph = try await store.fetch(
          Place.self, ids: asked,
          following: FetchPlan(Plan<Place>.following(\.parent), of: schema))
        if let graph { #expect(Set(graph.records.map(\.id)) == expected) }
        let relationship = RecordRelationship<Place>(\.parent)
        let targets = asked.map { Ref<Place>($0) }
        let found = try await store.referrers(to: targets, by: relationship)
        let expectedReferrers = try await model.referrers(to: targets, by: relationship)
        #expect(Set(found.map(\.id)) == Set(expectedReferrers.map(\.id)))
      }
    }

    struct Page: GraphRecord, Codable, Equatable {
      struct ID: Hashable, Codable, Sendable {
        let book: String
        let number: Int
      }
      let id: ID
      var text: String
    }

    @Test(arguments: ["text", "text COLLATE anycase", "varchar(9) COLLATE \"C\"", "char(9)"])
    func `ids of several columns are found by equal parts and by no other`(text: String)
      async throws
    {
      let database = try TestDatabase.make()
      let connection = try database.connect()
      try connection.execute(
        "\(Self.setup) CREATE TABLE page (book \(text), number int, text text)")
      let store = try await PostgreSQLStore(
        database.conninfo,
        PostgreSQLTable<Page>("page", id: .columns((\.book, "book"), (\.number, "number"))))
      var random = SplitMix64(seed: 17)
      func ids() -> Set<Page.ID> {
        Set(
          (0..<60).map { _ in
            Page.ID(book: Self.text(&random), number: Int.random(in: 0...1, using: &random))
          })
      }
      for _ in 0..<10 {
        try connection.execute("TRUNCATE page")
        let pages = ids().map { Page(id: $0, text: "\($0)") }
        try await store.apply(ChangeSet(inserting: pages))
        let asked = Array(ids())
        let expected = try await MemoryStore(pages).fetch(Page.self, ids: asked)
        let found = try await store.fetch(Page.self, ids: asked)
        #expect(Set(found.map(\.id)) == Set(expected.map(\.id)))
        #expect(found.count == expected.count)
      }
    }

    @Test func `texts of fixed length are read without padding`() async throws {
      let database = try TestDatabase.make()
      let connection = try database.connect()
      try connection.execute(
        "CREATE TABLE place (id char(5) PRIMARY KEY, name char(3), parent char(5))")
      let store = try await PostgreSQLStore(
        database.conninfo, PostgreSQLTable<Place>("place"))
      try await store.execute(store.trackingSQL)
      let cache = try GraphCache(for: Place.self, store: store)
      let following = cache.follow(store)
      let places = [
        Place(id: "a", name: "x", parent: Ref("bc")), Place(id: "bc", name: "", parent: Ref("a")),
      ]
      try await cache.write { tx in for place in places { try tx.insert(place) } }
      #expect(try await store.fetch(RecordQuery<Place>().sorted(by: \.id)) == places)
      // A graph without an end is followed by recursion.
      let graph = try await store.fetch(
        Place.self, ids: ["a"],
        following: FetchPlan(
          Plan<Place>.following(\.parent, generations: .max), of: GraphSchema(Place.self)))
      #expect(graph?.records.map(\.id) == ["a"])
      #expect(
        try await GraphCache(for: Place.self, store: store).graph(
          of: Ref<Place>("a"), .following(\.parent, generations: 5)
        ).count == 2)
      try connection.execute("UPDATE place SET name = 'y' WHERE id = 'a'")
      try await store.catchUp()
      #expect(try await cache.resolve(Ref<Place>("a")).name == "y")
      #expect(try await cache.find(Ref<Place>("a ")) == nil)
      await #expect(throws: (any Error).self) {
        try await cache.write { tx in try tx.update(Ref<Place>("a"), \.name, to: "z ") }
      }
      try await cache.write { tx in try tx.delete(Ref<Place>("bc")) }
      #expect(try await store.fetch(RecordQuery<Place>()).map(\.id) == ["a"])
      _ = following.status
    }
  }
#endif
