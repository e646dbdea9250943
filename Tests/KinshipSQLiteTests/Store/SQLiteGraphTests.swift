#if SQLite
  import Kinship
  import KinshipSQLite
  import KinshipTestSupport
  import Testing

  @testable import KinshipStoreTestSupport

  /// Graphs that the store follows within the database.
  struct SQLiteGraphTests {
    private typealias Item = PlannedItem
    private typealias Label = PlannedLabel

    private let database = TemporaryDatabase()

    /// Creates the tables with their contents.
    private func make(_ contents: String) async throws -> SQLiteStore {
      try await SQLiteStore(at: database.path).execute(
        """
        CREATE TABLE item (id INTEGER PRIMARY KEY, next INTEGER, label TEXT, whole INTEGER);
        CREATE TABLE label (id TEXT PRIMARY KEY, item INTEGER);
        CREATE TABLE r (x INTEGER, p INTEGER, v INTEGER);
        CREATE INDEX whole ON item (whole);
        """ + contents)
      return try SQLiteStore(
        at: database.path,
        SQLiteTable<Item>(
          "item",
          lists: [
            .toMany(\.items, through: "r", from: "x", to: "p", orderedBy: "v"),
            .toMany(\.parts, table: "item", foreignKey: "whole", key: "id"),
          ]),
        SQLiteTable<Label>("label"))
    }

    @Test(arguments: UInt64(0)..<12)
    func `a plan is followed as far as it leads`(seed: UInt64) async throws {
      var generator = SplitMix64(seed: seed)
      let schema = try GraphSchema(Item.self, Label.self)
      let store = try await make(Item.rows(in: "item", using: &generator))
      for _ in 0..<12 {
        let plan = Item.plan(using: &generator)
        let ids = (0..<Int.random(in: 1...3, using: &generator)).map { $0 * 13 }
        let followed = try FetchPlan(plan, of: schema)
        let expected = try await store.followed(followed, from: Item.self, ids).reached
        let graph = try #require(
          try await store.fetch(Item.self, ids: ids, following: followed))
        #expect(graph.records == (try await store.fetch(Item.self, ids: ids)))
        // Within a generation the records are in the order of the rows.
        #expect(
          graph.related(Item.self).sorted { $0.id < $1.id }
            == expected.compactMap { $0 as? Item }.sorted { $0.id < $1.id })
        #expect(
          graph.related(Label.self).sorted { $0.id < $1.id }
            == expected.compactMap { $0 as? Label }.sorted { $0.id < $1.id })

        let cache = try GraphCache(for: Item.self, Label.self, store: store)
        let plain = try GraphCache(for: Item.self, Label.self, store: Plain(base: store))
        let root = Ref<Item>(ids[0])
        let shown = try await cache.graph(of: root, plan)
        let known = try await plain.graph(of: root, plan)
        #expect(shown.records(of: Item.self) == known.records(of: Item.self))
        #expect(shown.records(of: Label.self) == known.records(of: Label.self))
        #expect(cache.statistics.batches <= plain.statistics.batches)
      }
    }

    /// Follows no plan.
    private struct Plain: ForwardingStore { let base: any BackingStore }

    @Test func `no more rows are read than are of use`() async throws {
      var rows = "INSERT INTO item VALUES (0, 1, NULL, NULL);"
      for id in 1...20_000 {
        rows += "INSERT INTO item VALUES (\(id), \(id < 600 ? id + 1 : 600), NULL, 0);"
      }
      let store = try await make(rows)
      let schema = try GraphSchema(Item.self, Label.self)
      /// The number of related records, and of rows read.
      func count(_ plan: Plan<Item>) async throws -> [Int?] {
        let before = store.statistics.rowsRead
        let graph = try await store.fetch(
          Item.self, ids: [0], following: FetchPlan(plan, of: schema))
        return [graph?.related(Item.self).count, store.statistics.rowsRead - before]
      }
      #expect(try await count(.following(\.next)) == [600, 601])
      #expect(try await count(.following(\.next).limited(to: 10)) == [9, 10])
      #expect(try await count(.following(\.next, generations: 500)) == [500, 501])
      #expect(try await count(.following(\.parts).limited(to: 10)) == [9, 10])
      // A generation that is too large is fetched by ids.
      #expect(try await count(.following(\.parts)) == [0, 1])
      #expect(try await count(.following(\.parts).limited(to: 16_385)) == [16_384, 16_385])
      let cache = try GraphCache(for: Item.self, Label.self, store: store)
      #expect(try await cache.graph(of: Ref<Item>(0), .following(\.parts)).count == 20_001)
    }

    /// A row that is not a record is fetched by its id, and reported, if a graph reaches it.
    @Test func `a row that is not a record is left to a fetch by id`() async throws {
      let store = try await make(
        """
        INSERT INTO item VALUES (0, 1, NULL, NULL), (1, 2, NULL, NULL);
        INSERT INTO item VALUES (2, 'none', NULL, NULL), (3, 0, NULL, NULL);
        """)
      let schema = try GraphSchema(Item.self, Label.self)
      let plan = try FetchPlan(Plan<Item>.following(\.next), of: schema)
      let graph = try await store.fetch(Item.self, ids: [0], following: plan)
      #expect(graph?.related(Item.self).map(\.id) == [1])
      #expect(try await store.fetch(Item.self, ids: [2, 0], following: plan) == nil)

      let cache = try GraphCache(for: Item.self, Label.self, store: store)
      #expect(
        try await cache.graph(of: Ref<Item>(0), .following(\.next, generations: 1)).count == 2)
      let error = await #expect(throws: KinshipError.self) {
        try await cache.graph(of: Ref<Item>(3), .following(\.next, generations: 4))
      }
      #expect(error?.description.contains("Item(2)") == true, "\(String(describing: error))")
    }

    /// Without one read transaction, some generations would be from before a write and others from
    /// after it.
    @Test func `a graph of a plan shows one state`() async throws {
      let store = try await make(
        "INSERT INTO item VALUES (0, 1, NULL, NULL), (1, 0, NULL, NULL), (2, 0, NULL, NULL);")
      let schema = try GraphSchema(Item.self, Label.self)
      let plan = try FetchPlan(Plan<Item>.following(\.next), of: schema)
      let writing = Task.detached { [path = database.path] in
        let other = try OtherConnection(path)
        var number = 0
        while !Task.isCancelled {
          number += 1
          // The record that 0 refers to leads back, and the other one leads nowhere.
          let (near, far) = number.isMultiple(of: 2) ? (1, 2) : (2, 1)
          try other.execute(
            """
            BEGIN; UPDATE item SET next = \(near) WHERE id = 0;
            UPDATE item SET next = 0 WHERE id = \(near);
            UPDATE item SET next = NULL WHERE id = \(far); COMMIT
            """)
        }
      }
      defer { writing.cancel() }
      for _ in 0..<500 {
        let graph = try #require(
          try await store.fetch(Item.self, ids: [0], following: plan))
        let related = graph.related(Item.self)
        #expect(related.map(\.next) == [Ref(0)])
        #expect(related.map { Ref<Item>($0.id) } == graph.records.map(\.next))
      }
      writing.cancel()
      try await writing.value
    }
  }
#endif
