#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import KinshipTestSupport
  import Testing

  @testable import KinshipStoreTestSupport

  /// The messages of mistakes with a SQLite database.
  struct SQLiteMistakesTests {
    struct Dog: GraphRecord, Codable {
      let id: Int
      var name: String
      var age: Int
    }

    struct Cat: GraphRecord, Codable {
      let id: Int
    }

    private static let complete = "CREATE TABLE dogs (id INTEGER PRIMARY KEY, name, age)"

    /// A store in memory, in which some SQL was run before.
    private func store(_ setup: String) throws -> SQLiteStore {
      try SQLiteStore(
        at: ":memory:", SQLiteTable<Dog>("dogs"), configuration: SQLiteConfiguration(setup: setup))
    }

    @Test func `each message names the path, the table or the column`() async throws {
      var table = MistakeTable()
      try await provokeMistakesOfOpening(&table)
      try await provokeMistakesOfReading(&table)
      try await provokeMistakesOfWriting(&table)
      table.printIfAsked()
      #expect(table.faults == [])
      #expect(table.count == 13)
    }

    private func provokeMistakesOfOpening(_ table: inout MistakeTable) async throws {
      await table.provoke(
        "open a database in a directory that does not exist",
        naming: ["SQLITE_CANTOPEN", "/nowhere/dogs.sqlite"], advice: "Check the path"
      ) {
        _ = try SQLiteStore(at: "/nowhere/dogs.sqlite", SQLiteTable<Dog>("dogs"))
      }
      let text = TemporaryDatabase()
      try Data(repeating: UInt8(ascii: "x"), count: 2_000).write(to: URL(filePath: text.path))
      await table.provoke(
        "open a file that is no database", naming: ["SQLITE_NOTADB", text.path],
        advice: "Check the path"
      ) {
        _ = try SQLiteStore(at: text.path, SQLiteTable<Dog>("dogs"))
      }
      await table.provoke(
        "map a table that does not exist", naming: ["“dogs”"], advice: "Create it"
      ) {
        _ = try store("SELECT 1")
      }
      await table.provoke(
        "map a column that does not exist", naming: ["“dogs”", "“years”"],
        advice: "correct the mapping"
      ) {
        _ = try SQLiteStore(
          at: ":memory:", SQLiteTable<Dog>("dogs", columns: [.column(\.age, "years")]),
          configuration: SQLiteConfiguration(setup: Self.complete))
      }
      await table.provoke(
        "forget the column of a property", naming: ["“dogs”", "“age”"], advice: ".column(\\.age"
      ) {
        _ = try store(
          "CREATE TABLE dogs (id INTEGER PRIMARY KEY, name); INSERT INTO dogs VALUES (1, 'Rex')")
      }
    }

    private func provokeMistakesOfReading(_ table: inout MistakeTable) async throws {
      let dogs = try SQLiteStore(
        at: ":memory:", SQLiteTable<Dog>("dogs"),
        configuration: SQLiteConfiguration(setup: Self.complete))
      let cache = try GraphCache(for: Cat.self, store: dogs)
      await table.provoke(
        "load a type for which the store has no table", naming: ["Cat", "SQLiteStore"],
        advice: "Pass one when you open the store"
      ) {
        _ = try await cache.resolve(Ref<Cat>(1))
      }
      // An empty table does not show that a property has no column.
      let narrow = try store("CREATE TABLE dogs (id INTEGER PRIMARY KEY, name)")
      try await narrow.execute("INSERT INTO dogs VALUES (1, 'Rex')")
      await table.provoke(
        "read a property without a column", naming: ["Dog(1).age", "“dogs”"],
        advice: "Add the column"
      ) {
        _ = try await narrow.fetch(Dog.self, ids: [1])
      }
      let number = try store("\(Self.complete); INSERT INTO dogs VALUES (1, 5, 3)")
      await table.provoke(
        "read a number as a text", naming: ["Dog(1).name", "“dogs”", "“name”", "an integer"],
        advice: "Correct the value"
      ) {
        _ = try await number.fetch(Dog.self, ids: [1])
      }
      let null = try store("\(Self.complete); INSERT INTO dogs VALUES (1, 'Rex', NULL)")
      await table.provoke(
        "read NULL as a number", naming: ["Dog(1).age", "“dogs”", "“age”", "NULL"],
        advice: "make the property optional"
      ) {
        _ = try await null.fetch(Dog.self, ids: [1])
      }
    }

    private func provokeMistakesOfWriting(_ table: inout MistakeTable) async throws {
      let database = TemporaryDatabase()
      let store = try SQLiteStore(
        at: database.path, SQLiteTable<Dog>("dogs"),
        configuration: SQLiteConfiguration(
          setup: "CREATE TABLE dogs (id INTEGER PRIMARY KEY, name TEXT UNIQUE, age INTEGER)"))
      try await store.apply(ChangeSet(inserting: [Dog(id: 1, name: "Rex", age: 3)]))
      let cache = try GraphCache(for: Dog.self, store: store)
      await table.provoke(
        "violate a constraint", naming: ["SQLITE_CONSTRAINT_UNIQUE", "dogs.name"],
        advice: "Change the record"
      ) {
        try await cache.write { tx in try tx.insert(Dog(id: 2, name: "Rex", age: 4)) }
      }
      await table.provoke(
        "run SQL with a typing error", naming: ["TABEL"], advice: "Check the statement"
      ) {
        try await store.execute("CREATE TABEL cats (id)")
      }
      let reader = try SQLiteStore(
        at: database.path, SQLiteTable<Dog>("dogs"),
        configuration: SQLiteConfiguration(access: .readOnly))
      await table.provoke(
        "write to a store that is open for reading", naming: [database.path],
        advice: "Open it for writing"
      ) {
        try await reader.apply(ChangeSet(inserting: [Dog(id: 3, name: "Ada", age: 1)]))
      }
      await reader.close()
      await store.close()
      await table.provoke(
        "read from a store that was closed", naming: [database.path], advice: "Open it again"
      ) {
        _ = try await store.fetch(Dog.self, ids: [1])
      }
    }
  }
#endif
