#if PostgreSQL
  import Kinship
  import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  /// The messages of mistakes with a PostgreSQL database.
  @Suite(.dedicatedThreads, .needsServer)
  struct PostgreSQLMistakesTests {
    struct Dog: GraphRecord, Codable {
      let id: Int
      var name: String
      var age: Int
    }

    @Test func `each message names the database, the table or the column`() async throws {
      var table = MistakeTable()
      let database = try TestDatabase.make()
      await provokeMistakesOfConnecting(&table, database)
      try await provokeMistakesOfTables(&table, database)
      table.printIfAsked()
      #expect(table.faults == [])
      #expect(table.count == 8)
    }

    private func provokeMistakesOfConnecting(
      _ table: inout MistakeTable, _ database: TestDatabase
    ) async {
      await table.provoke(
        "write a conninfo that cannot be parsed", naming: ["conninfo"], advice: "Write it as"
      ) {
        _ = try await PostgreSQLStore("host=localhost dbname", PostgreSQLTable<Dog>("dogs"))
      }
      await table.provoke(
        "connect where no server is", naming: ["/nowhere"], advice: "Check host and port"
      ) {
        _ = try await PostgreSQLStore("host=/nowhere user=owner", PostgreSQLTable<Dog>("dogs"))
      }
      await table.provoke(
        "connect to a database that does not exist", naming: ["“kennel”", "3D000"],
        advice: "Create the database"
      ) {
        _ = try await PostgreSQLStore(
          database.server.conninfo("kennel"), PostgreSQLTable<Dog>("dogs"))
      }
    }

    private func provokeMistakesOfTables(
      _ table: inout MistakeTable, _ database: TestDatabase
    ) async throws {
      let bare = try await PostgreSQLStore(database.conninfo)
      await table.provoke(
        "load a type for which the store has no table", naming: ["Dog", "PostgreSQLStore"],
        advice: "Pass one when you open the store"
      ) {
        _ = try await bare.fetch(Dog.self, ids: [1])
      }
      await table.provoke(
        "map a table that does not exist", naming: ["“dogs”"], advice: "Create it"
      ) {
        _ = try await PostgreSQLStore(database.conninfo, PostgreSQLTable<Dog>("dogs"))
      }
      try await bare.execute(
        """
        CREATE TABLE dogs (id bigint PRIMARY KEY, name text NOT NULL UNIQUE);
        INSERT INTO dogs VALUES (1, 'Rex')
        """)
      await table.provoke(
        "forget the column of a property", naming: ["“dogs”", "“age”"], advice: ".column(\\.age"
      ) {
        _ = try await PostgreSQLStore(database.conninfo, PostgreSQLTable<Dog>("dogs"))
      }
      try await bare.execute("ALTER TABLE dogs ADD COLUMN age bigint NOT NULL DEFAULT 0")
      let store = try await PostgreSQLStore(database.conninfo, PostgreSQLTable<Dog>("dogs"))
      await table.provoke(
        "violate a constraint", naming: ["23505", "dogs_name_key"], advice: "Change the record"
      ) {
        try await store.apply(ChangeSet(inserting: [Dog(id: 2, name: "Rex", age: 4)]))
      }
      await table.provoke(
        "follow a database that does not log changes", naming: ["not logged"],
        advice: "`trackingSQL`"
      ) {
        _ = try await store.changes(since: nil)
      }
    }
  }
#endif
