#if PostgreSQL
  import Foundation
  import Kinship
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  /// Arrays in columns of their own.
  @Suite(.dedicatedThreads, .needsServer)
  struct ArrayColumnTests {
    struct List: GraphRecord, Codable, Equatable {
      let id: Int
      var numbers: [Int]
      var words: [String]?
      var flags: [Bool?]
      var weights: [Double]
      var amounts: [Decimal]
      var keys: [UUID]
      var items: [Ref<Item>]
      var names: [Ref<Name>]

      static let relationships: Relationships<List> = [
        .toMany(\.items, onTargetDelete: .nullify), .toMany(\.names),
      ]
    }

    struct Item: GraphRecord, Codable, Equatable { let id: Int }
    struct Name: GraphRecord, Codable, Equatable { let id: String }

    private static let schema = """
      CREATE DOMAIN numbers AS bigint[];
      CREATE TABLE list (
        id int PRIMARY KEY, numbers numbers NOT NULL, words varchar(40)[], flags bool[] NOT NULL,
        weights float8[] NOT NULL, amounts numeric[] NOT NULL, keys uuid[] NOT NULL,
        items int[] NOT NULL, names text[] NOT NULL, days date[] DEFAULT '{2001-01-01}');
      CREATE TABLE item (id int PRIMARY KEY);
      CREATE TABLE name (id text PRIMARY KEY);
      """

    private static func store(_ database: TestDatabase) async throws -> PostgreSQLStore {
      try await PostgreSQLStore(
        database.conninfo, PostgreSQLTable<List>("list"), PostgreSQLTable<Item>("item"),
        PostgreSQLTable<Name>("name"))
    }

    private static func list(_ id: Int, using generator: inout SplitMix64) -> List {
      func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
      func some<Value>(_ make: () -> Value) -> [Value] { (0..<number(4)).map { _ in make() } }
      let words = ["", "a, b", "NULL", "{}", "ü\\\"\u{1}\u{7F}", "\n\t"]
      return List(
        id: id, numbers: some { [.min, .max, 0, -7][number(4)] },
        words: number(3) == 0 ? nil : some { words[number(words.count)] },
        flags: some { [nil, true, false][number(3)] },
        weights: some { [0.1, -1e300, 1e-300, 3][number(4)] },
        amounts: some { Decimal(number(1_000_000)) / 1_000 },
        keys: some { UUID() }, items: some { Ref(number(3)) },
        names: some { Ref(["a", "b\"", "{c}"][number(3)]) })
    }

    private static let names = ["a", "b\"", "{c}"]

    @Test func `arrays are read as they were written`() async throws {
      let database = try TestDatabase.make()
      let connection = try database.connect()
      try connection.execute(Self.schema)
      let store = try await Self.store(database)
      let cache = try GraphCache(for: List.self, Item.self, Name.self, store: store)
      var generator = SplitMix64(seed: 1)
      var lists = (0..<300).map { Self.list($0, using: &generator) }
      let inserted = lists
      try await cache.write { tx in
        for id in 0..<3 { try tx.insert(Item(id: id)) }
        for id in Self.names { try tx.insert(Name(id: id)) }
        for list in inserted { try tx.insert(list) }
      }
      let query = RecordQuery<List>().sorted(by: \.id)
      #expect(try await store.fetch(query) == lists)
      lists = (0..<300).map { Self.list($0, using: &generator) }
      let updated = lists
      try await cache.write { tx in
        for list in updated.prefix(250) { try tx.update(list.ref) { $0 = list } }
        for list in updated.suffix(50) {
          try tx.update(
            list.ref, .set(\.numbers, to: list.numbers), .set(\.words, to: list.words),
            .set(\.flags, to: list.flags), .set(\.weights, to: list.weights),
            .set(\.amounts, to: list.amounts), .set(\.keys, to: list.keys),
            .set(\.items, to: list.items), .set(\.names, to: list.names))
        }
      }
      #expect(try await store.fetch(query) == lists)
      // More rows than one statement writes.
      let many = (1_000..<10_000).map { Self.list($0, using: &generator) }
      try await cache.write { tx in for list in many { try tx.insert(list) } }
      #expect(try await store.fetch(query) == lists + many)
      #expect(
        try connection.query("SELECT 1 FROM list WHERE days = '{2001-01-01}'").count
          == lists.count + many.count)
    }

    @Test func `referrers in arrays are found and lose the ref`() async throws {
      let database = try TestDatabase.make()
      try database.connect().execute(
        Self.schema + """
          INSERT INTO item VALUES (0), (1), (2);
          INSERT INTO name VALUES ('a'), ('{c}');
          INSERT INTO list VALUES
            (1, '{}', NULL, '{}', '{}', '{}', '{}', '{0,1,0}', '{a,"{c}"}'),
            (2, '{}', NULL, '{}', '{}', '{}', '{}', '{2}', '{}');
          """)
      let store = try await Self.store(database)
      let cache = try GraphCache(for: List.self, Item.self, Name.self, store: store)
      try await cache.write { tx in
        try tx.delete(Ref<Item>(0))
        try tx.delete(Ref<Name>("{c}"))
      }
      let lists = try await store.fetch(RecordQuery<List>().sorted(by: \.id))
      #expect(lists.map(\.items) == [[1], [2]])
      #expect(lists.map(\.names) == [["a"], []])
    }

    @Test func `a column that is not a plain array is refused`() async throws {
      let database = try TestDatabase.make()
      let connection = try database.connect()
      try connection.execute(
        """
        CREATE TABLE list (id int PRIMARY KEY, spans int4range[], grid int[], real float8[]);
        INSERT INTO list VALUES (1, NULL, '{{1,2},{3,4}}', NULL), (2, NULL, '{1}', '{NaN}');
        """)
      struct Grid: GraphRecord, Codable {
        let id: Int
        var grid: [Int]
        var real: [Double]?
      }
      let store = try await PostgreSQLStore(database.conninfo, PostgreSQLTable<Grid>("list"))
      for id in 1...2 {
        await #expect(throws: (any Error).self) { try await store.fetch(Grid.self, ids: [id]) }
      }
      struct Span: GraphRecord, Codable { let id: Int }
      struct Translator: RowTranslator {
        let columns = ["id", "spans"]
        func record(from row: borrowing SQLRow) throws -> Span { Span(id: try row.value(at: 0)) }
        func bind(_ record: Span, to values: inout SQLValues) throws {
          try values.append(record.id)
        }
      }
      await #expect(
        throws: PostgreSQLError.unsupportedType("int4range[]", column: "spans")
      ) {
        _ = try await PostgreSQLStore(
          database.conninfo, PostgreSQLTable<Span>("list", translator: Translator()))
      }
    }
  }
#endif
