#if SQLite
  import Kinship
  import Testing

  @testable import KinshipSQL
  @testable import KinshipSQLite

  struct IDListTests {
    struct Thing: GraphRecord, Codable {
      let id: Int
      var name: String

      static let relationships: Relationships<Thing> = []
    }

    /// Reads an id in any stored form.
    struct ThingTranslator: RowTranslator {
      let columns = ["id", "name"]

      func record(from row: borrowing SQLRow) throws -> Thing {
        let id: Int? =
          switch row.storedValue(at: 0) {
          case .integer(let integer): Int(integer)
          case .real(let real): Int(exactly: real)
          case .text(let text): Int(text)
          default: nil
          }
        guard let id else { throw row.wrongType("a number", at: 0) }
        return Thing(id: id, name: try row.value(at: 1))
      }

      func bind(_ thing: Thing, to values: inout SQLValues) throws {
        try values.append(thing.id)
        try values.append(thing.name)
      }
    }

    private static let table = SQLiteTable<Thing>("thing", translator: ThingTranslator())

    private static func store(
      _ setup: String, _ table: SQLiteTable<Thing> = table
    ) throws -> SQLiteStore {
      try SQLiteStore(at: ":memory:", table, configuration: SQLiteConfiguration(setup: setup))
    }

    /// The query plan of the statement for many ids.
    private static func steps(
      _ setup: String, _ table: SQLiteTable<Thing> = table
    ) throws -> [String] {
      let file = DatabaseFile(
        path: ":memory:", configuration: SQLiteConfiguration(setup: setup))
      let connection = try file.writer(Tally())
      let dialect = SQLiteDialect(encoding: .text("UTF-8"))
      let plan = try TablePlan(table, number: 0, dialect) { try FoundTable($0, in: connection) }
      return try connection.steps(of: plan.fetchListed(in: connection))
    }

    /// The declarations of the id column, and of the table.
    @Test(arguments: [
      ("INTEGER PRIMARY KEY", ""), ("INT PRIMARY KEY", ""), ("TEXT PRIMARY KEY", ""),
      ("REAL PRIMARY KEY", ""), ("NUMERIC PRIMARY KEY", ""), ("BLOB PRIMARY KEY", ""),
      ("PRIMARY KEY", ""), ("TEXT COLLATE NOCASE UNIQUE", ""), ("", ""), ("TEXT", ""),
      ("REAL", ""), ("INTEGER PRIMARY KEY", "WITHOUT ROWID"), ("TEXT PRIMARY KEY", "WITHOUT ROWID"),
      ("REAL PRIMARY KEY", "WITHOUT ROWID"),
    ])
    func `many ids are found as each one is`(column: String, table: String) async throws {
      let store = try Self.store("CREATE TABLE thing (id \(column), name TEXT) \(table)")
      let large = [1 << 53, -1 << 53, 1 << 60]
      for id in Array(1...50) + large {
        try await store.execute("INSERT INTO thing VALUES (\(id), 'number')")
      }
      for id in 41...50 where !column.hasPrefix("INTEGER") {
        try await store.execute(
          "INSERT OR IGNORE INTO thing VALUES ('0\(id)', 'longer'), ('\(id)', 'text')")
      }
      let asked = Array(-10...100) + large + large.map { $0 + 1 }
      var each: [Thing] = []
      for id in asked { each += try await store.fetch(Thing.self, ids: [id]) }
      let all = try await store.fetch(Thing.self, ids: (asked + [7, 7, 1 << 60]).shuffled())
      #expect(Self.texts(all) == Self.texts(each))
      #expect(all.count >= 53 && Set(Self.texts(all)).count == all.count)
    }

    private static func texts(_ things: [Thing]) -> [String] {
      things.map { "\($0.id) \($0.name)" }.sorted()
    }

    @Test func `a table with an index is searched for each id`() throws {
      for column in ["INTEGER PRIMARY KEY", "TEXT PRIMARY KEY", "UNIQUE", "REAL UNIQUE"] {
        let steps = try Self.steps("CREATE TABLE thing (id \(column), name TEXT)")
        #expect(steps.count == 2)
        #expect(steps.first?.hasPrefix("SCAN kinship ids VIRTUAL TABLE") == true)
        #expect(steps.last?.hasPrefix("SEARCH thing USING") == true)
      }
    }

    /// A search for each id would read all rows each time.
    @Test func `a table without an index is read once`() async throws {
      for setup in [
        "CREATE TABLE thing (id, name)",
        "CREATE TABLE row (a, b); CREATE VIEW thing AS SELECT a + 1 AS id, b AS name FROM row",
        """
        CREATE TABLE row (a, b);
        CREATE VIEW thing AS SELECT a AS id, max(b) AS name FROM row GROUP BY a
        """,
      ] {
        let steps = try Self.steps(setup)
        #expect(!steps.contains { $0.hasPrefix("SCAN kinship ids") })
      }
      let store = try Self.store(
        """
        CREATE TABLE row (a INTEGER PRIMARY KEY, b);
        INSERT INTO row VALUES (0, 'x'), (1, 'y'), (2, 'z');
        CREATE VIEW thing AS SELECT a + 1 AS id, b AS name FROM row
        """)
      let things = try await store.fetch(Thing.self, ids: [3, 4, 1, 3])
      #expect(Self.texts(things) == ["1 x", "3 z"])
    }

    /// Names that the list of ids uses as well.
    @Test(arguments: ["id", "list", "value", "kinship ids", "rowid", "_rowid_"])
    func `columns may have the names that the id list uses`(name: String) async throws {
      let isHidden = name.contains("rowid")
      let store = try Self.store(
        """
        CREATE TABLE thing (\(isHidden ? "" : "\"\(name)\" INTEGER PRIMARY KEY, ")name TEXT);
        INSERT INTO thing (\"\(name)\", name) VALUES (1, 'a'), (2, 'b'), (3, 'c')
        """, SQLiteTable<Thing>("thing", id: .column(name)))
      let things = try await store.fetch(Thing.self, ids: [3, 1, 4])
      #expect(Self.texts(things) == ["1 a", "3 c"])
    }

    @Test func `an id list is released when it is no longer bound`() throws {
      let file = DatabaseFile(path: ":memory:", configuration: SQLiteConfiguration())
      let connection = try file.writer(Tally())
      let statement = try connection.statement("SELECT id FROM \(IDList.table)(?)")
      weak var bound: KinshipSQLite.IDList?
      do {
        let list = IDList([3, .min, 3, 2, .max, 3])
        bound = list
        try statement.bind(list, at: 1)
      }
      #expect(bound != nil)
      let ids: [Int64] = [.min, 2, 3, .max]
      #expect(try connection.rows(of: statement) == ids.map { [.integer($0)] })
      #expect(bound == nil)
    }

    /// Only a pointer that is bound to the statement has ids.
    @Test func `other values are lists without ids`() async throws {
      let store = try Self.store(
        """
        CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO thing VALUES (1, 'a'), (2, 'b')
        """)
      for value in ["7", "'kinship ids'", "x'00ff'", "NULL", "1.5", "thing.id"] {
        try await store.execute(
          """
          INSERT INTO thing SELECT "kinship ids".id + 10, 'none'
            FROM thing, "kinship ids"(\(value)) AS "kinship ids"
          """)
      }
      for none in ["", "(7) WHERE list = 7", " WHERE list = 8 OR id = 9", " WHERE rowid = 0"] {
        try await store.execute(
          "INSERT INTO thing SELECT id + 10, 'none' FROM \"kinship ids\"\(none)")
      }
      await #expect(throws: SQLiteError.self) {
        try await store.execute("INSERT INTO \"kinship ids\" VALUES (1)")
      }
      #expect(try await store.fetch(RecordQuery<Thing>()).count == 2)
      #expect(try await store.fetch(Thing.self, ids: [1, 2, 11]).count == 2)
    }
  }
#endif
