#if PostgreSQL
  import Kinship
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  /// Graphs that the server follows in one round trip.
  @Suite(.dedicatedThreads, .needsServer)
  struct GraphStatementTests {
    private typealias Item = PlannedItem
    private typealias Label = PlannedLabel

    private static let schema = #"""
      CREATE TABLE "kinship reached" (
        id int PRIMARY KEY, next bigint, "la""bel?" varchar(20) COLLATE "C",
        whole smallint);
      CREATE TABLE label ("t" varchar(20) COLLATE "POSIX" PRIMARY KEY, item int);
      CREATE TABLE r (x int, p int, v int);
      """#

    private static func store(_ database: TestDatabase) async throws -> PostgreSQLStore {
      try await PostgreSQLStore(
        database.conninfo,
        PostgreSQLTable<Item>(
          "kinship reached", columns: [.column(\.label, #"la"bel?"#)],
          lists: [
            .toMany(\.items, through: "r", from: "x", to: "p", orderedBy: "v"),
            .toMany(\.parts, table: "kinship reached", foreignKey: "whole", key: "id"),
          ]),
        PostgreSQLTable<Label>("label", id: "t"))
    }

    @Test(arguments: UInt64(0)..<6)
    func `the server follows a plan as far as it leads`(seed: UInt64) async throws {
      var generator = SplitMix64(seed: seed)
      let schema = try GraphSchema(Item.self, Label.self)
      let database = try TestDatabase.make()
      try database.connect().execute(Self.schema)
      try database.connect().execute(
        Item.rows(in: #""kinship reached""#, using: &generator))
      let store = try await Self.store(database)
      for _ in 0..<12 {
        let plan = Item.plan(using: &generator)
        let ids = (0..<Int.random(in: 1...3, using: &generator)).map { $0 * 13 }
        let followed = try FetchPlan(plan, of: schema)
        let expected = try await store.followed(followed, from: Item.self, ids).reached
        guard let graph = try await store.fetch(Item.self, ids: ids, following: followed) else {
          #expect(expected.isEmpty)
          continue
        }
        let records = try await store.fetch(Item.self, ids: ids)
        #expect(Set(graph.records.map(\.id)) == Set(records.map(\.id)))
        let (items, labels) = (
          graph.related(Item.self).sorted { $0.id < $1.id },
          graph.related(Label.self).sorted { $0.id < $1.id }
        )
        let (allItems, allLabels) = (
          expected.compactMap { $0 as? Item }.sorted { $0.id < $1.id },
          expected.compactMap { $0 as? Label }.sorted { $0.id < $1.id }
        )
        let generations =
          followed.relationships(of: Item.self).map(\.generations)
          + followed.relationships(of: Label.self).map(\.generations)
        if generations.contains(.max), generations.contains(where: { $0 < .max }) {
          // A plan without end is followed for some generations.
          #expect(items.allSatisfy { allItems.contains($0) })
          #expect(labels.allSatisfy { allLabels.contains($0) })
        } else {
          #expect(items == allItems)
          #expect(labels == allLabels)
        }
        let cache = try GraphCache(for: Item.self, Label.self, store: store)
        let plain = try GraphCache(for: Item.self, Label.self, store: Plain(base: store))
        let root = Ref<Item>(ids[0])
        let shown = try await cache.graph(of: root, plan).records(of: Item.self)
        let known = try await plain.graph(of: root, plan).records(of: Item.self)
        #expect(shown == known)
        #expect(cache.statistics.batches <= plain.statistics.batches)
      }
    }

    /// Follows no plan.
    private struct Plain: ForwardingStore { let base: any BackingStore }

    @Test func `the server returns no more rows than are of use`() async throws {
      let database = try TestDatabase.make()
      try database.connect().execute(
        Self.schema + """
          INSERT INTO "kinship reached" SELECT i, i + 1 FROM generate_series(0, 999) AS i
          """)
      let store = try await Self.store(database)
      let schema = try GraphSchema(Item.self, Label.self)
      func count(_ plan: Plan<Item>) async throws -> Int? {
        try await store.fetch(Item.self, ids: [0], following: FetchPlan(plan, of: schema))?
          .related(Item.self).count
      }
      #expect(try await count(.following(\.next)) == 999)
      #expect(try await count(.following(\.next).limited(to: 10)) == 9)
      #expect(try await count(.following(\.next, generations: 500)) == 500)
    }

    @Test func `a plan follows texts in any collation`() async throws {
      let database = try TestDatabase.make()
      try database.connect().execute(
        """
        CREATE TABLE node (
          id text COLLATE "C" PRIMARY KEY, next text COLLATE "POSIX", other varchar(9));
        INSERT INTO node VALUES ('a', 'b', 'c'), ('b', 'c', NULL), ('c', NULL, 'a');
        """)
      struct Node: GraphRecord, Codable, Equatable {
        let id: String
        var next: Ref<Node>?
        var other: Ref<Node>?
        static let relationships: Relationships<Node> = [.toOne(\.next), .toOne(\.other)]
      }
      let store = try await PostgreSQLStore(database.conninfo, PostgreSQLTable<Node>("node"))
      let plan = Plan<Node>.generations(5)
      let graph = try await store.fetch(
        Node.self, ids: ["b"], following: FetchPlan(plan, of: GraphSchema(Node.self)))
      #expect(graph?.related(Node.self).map(\.id).sorted() == ["a", "c"])
    }

    /// Their statements have the same plan, and other columns.
    @Test func `several types in one table are followed`() async throws {
      struct Light: GraphRecord, Equatable {
        let id: Int
        var next: Ref<Light>?
        static let relationships: Relationships<Light> = [.toOne(\.next)]
      }
      struct Full: GraphRecord, Equatable {
        let id: Int
        var next: Ref<Full>?
        var name: String
        static let relationships: Relationships<Full> = [.toOne(\.next)]
      }
      struct LightTranslator: RowTranslator {
        let columns = ["id", "next"]

        func record(from row: borrowing SQLRow) throws -> Light {
          Light(id: try row.value(at: 0), next: try row.value(at: 1))
        }

        func bind(_ record: Light, to values: inout SQLValues) throws {
          try values.append(record.id)
          try values.append(record.next)
        }
      }
      struct FullTranslator: RowTranslator {
        let columns = ["id", "next", "name"]

        func record(from row: borrowing SQLRow) throws -> Full {
          Full(id: try row.value(at: 0), next: try row.value(at: 1), name: try row.value(at: 2))
        }

        func bind(_ record: Full, to values: inout SQLValues) throws {
          try values.append(record.id)
          try values.append(record.next)
          try values.append(record.name)
        }
      }
      let database = try TestDatabase.make()
      try database.connect().execute(
        """
        CREATE TABLE node (id int PRIMARY KEY, next int, name text);
        INSERT INTO node VALUES (1, 2, 'a'), (2, NULL, 'b');
        """)
      let store = try await PostgreSQLStore(
        database.conninfo, PostgreSQLTable<Light>("node", translator: LightTranslator()),
        PostgreSQLTable<Full>("node", translator: FullTranslator()))
      let schema = try GraphSchema(Light.self, Full.self)
      let light = try await store.fetch(
        Light.self, ids: [1], following: FetchPlan(Plan<Light>.generations(1), of: schema))
      let full = try await store.fetch(
        Full.self, ids: [1], following: FetchPlan(Plan<Full>.generations(1), of: schema))
      #expect(light?.related(Light.self) == [Light(id: 2)])
      #expect(full?.related(Full.self) == [Full(id: 2, name: "b")])
    }

    /// A requested row is not a record: it is fetched by its id, and reported.
    ///
    /// Such a row beyond is fetched if a graph reaches it.
    @Test func `a row that is not a record is left to a fetch by id`() async throws {
      let database = try TestDatabase.make()
      try database.connect().execute(
        """
        CREATE TABLE node (id text PRIMARY KEY, next text, value text);
        INSERT INTO node VALUES ('a', 'b', '1'), ('b', 'c', '2'), ('c', NULL, 'none');
        """)
      struct Node: GraphRecord, Codable, Equatable {
        let id: String
        var next: Ref<Node>?
        var value: Int
        static let relationships: Relationships<Node> = [.toOne(\.next)]
      }
      struct Translator: RowTranslator {
        let columns = ["id", "next", "value"]

        func record(from row: borrowing SQLRow) throws -> Node {
          let text: String = try row.value(at: 2)
          guard let value = Int(text) else { throw row.wrongType("a number", at: 2) }
          return Node(id: try row.value(at: 0), next: try row.value(at: 1), value: value)
        }

        func bind(_ record: Node, to values: inout SQLValues) throws {
          try values.append(record.id)
          try values.append(record.next)
          try values.append("\(record.value)")
        }
      }
      let store = try await PostgreSQLStore(
        database.conninfo, PostgreSQLTable<Node>("node", translator: Translator()))
      let cache = try GraphCache(for: Node.self, store: store)
      #expect(try await cache.graph(of: Ref<Node>("a"), .generations(1)).count == 2)
      let partial = try await cache.find(Ref<Node>("a").graph(.generations(5)), .partial)
      #expect(partial.count == 2)
      #expect(partial.failures.keys.map { $0 } == [AnyRef(Ref<Node>("c"))])
      await #expect(throws: KinshipError.self) {
        try await cache.graph(of: Ref<Node>("c"), .generations(5))
      }
    }
  }
#endif
