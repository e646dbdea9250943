#if SQLite
  import Foundation
  import Kinship
  import KinshipProgram
  import KinshipSQLite
  import Testing

  @testable import family_tree

  struct SQLiteGenealogyTests {
    /// Runs a body with the small family's file and the path of a database that does not exist yet.
    private func withFamily(_ body: (_ file: String, _ database: String) async throws -> Void)
      async throws
    {
      try await withTemporaryPath("small.ged", holding: smallFamily) { file in
        try await body(file, file + ".sqlite")
      }
    }

    @Test func `no other file unmapped beside the database`() async throws {
      try await withFamily { file, database in
        _ = await run(file, "--store", "sqlite:\(database)")
        let before = FileManager.default.contents(atPath: database)
        _ = await run("--store", "sqlite:\(database)", "--summary")
        #expect(FileManager.default.contents(atPath: database) == before)
        _ = await shell(["--store", "sqlite:\(database)"], "rename I1 Anna\nshow I1")
        let folder = URL(filePath: database).deletingLastPathComponent().path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.sorted() == ["small.ged", "small.ged.sqlite"])
      }
    }

    @Test func `an interrupted import is completed`() async throws {
      try await withFamily { file, database in
        // Only the tables exist.
        try await SQLiteStore(at: database).execute(GenealogySchema.sqlite)
        let (status, console) = await run(file, "--store", "sqlite:\(database)")
        #expect(status == .success)
        #expect(console.complaints == ["\(database): 17 records written"])
      }
    }

    @Test func `a failed import leaves nothing behind`() async throws {
      try await withFamily { file, database in
        try await SQLiteStore(at: database).execute(GenealogySchema.sqlite)
        let store = try SQLiteStore(at: database, GenealogyTables.persons)
        try await store.execute(
          "CREATE TRIGGER no BEFORE INSERT ON origin BEGIN SELECT RAISE(ABORT, 'no'); END")
        let failed = await run(file, "--store", "sqlite:\(database)")
        #expect(failed.status == .cannotWrite)
        #expect(
          failed.console.complaints.first?.hasPrefix(
            "\(database): error: It cannot be written: SQLITE_CONSTRAINT_TRIGGER: no") == true)
        #expect(try await store.fetch(RecordQuery<Person>()).isEmpty)

        try await store.execute("DROP TRIGGER no")
        #expect(await run(file, "--store", "sqlite:\(database)").status == .success)
        #expect(try await store.fetch(RecordQuery<Person>()).count == 6)
      }
    }

    @Test func `another program's database is left alone`() async throws {
      try await withFamily { file, database in
        struct Thing: GraphRecord, Codable { let id: Int }
        _ = try SQLiteStore(
          at: database, SQLiteTable<Thing>("persons"),
          configuration: SQLiteConfiguration(setup: "CREATE TABLE persons (id INTEGER PRIMARY KEY)")
        )
        let before = FileManager.default.contents(atPath: database)
        for arguments in [[file], []] {
          let (status, console) = await run(arguments + ["--store", "sqlite:\(database)"])
          #expect(status == .unreadable)
          #expect(
            console.complaints == [
              "\(database): error: It cannot be read: The database has no table "
                + "“person_further_families”. Create it, or correct the name in the mapping."
            ])
        }
        #expect(FileManager.default.contents(atPath: database) == before)
      }
    }

    /// A database whose persons have no years yet would answer that no one was ever born.
    @Test(arguments: [[], ["--shell"]])
    func `a database of an earlier version is left alone`(arguments: [String]) async throws {
      try await withFamily { file, database in
        _ = await run(file, "--store", "sqlite:\(database)")
        let store = try SQLiteStore(at: database, GenealogyTables.persons)
        try await store.execute("DROP INDEX persons_by_birth")
        try await store.execute("ALTER TABLE persons DROP COLUMN born")
        let before = FileManager.default.contents(atPath: database)
        let (status, console) = await run(["--store", "sqlite:\(database)"] + arguments)
        #expect(status == .unreadable)
        #expect(
          console.complaints == [
            "\(database): error: It cannot be read: Table “persons” has no column for the property "
              + "“born”. Add the column, or map another one: .column(\\.born, \"…\")."
          ])
        #expect(FileManager.default.contents(atPath: database) == before)
      }
    }

    /// A value that its column cannot have, wherever it is found.
    @Test(arguments: [
      "UPDATE origin SET size = 'many'", "UPDATE persons SET number = 'first'",
      "UPDATE persons SET sex = 'x'", "UPDATE events SET kind = 5",
    ])
    func `a row that is not a record is bad data`(sql: String) async throws {
      try await withFamily { file, database in
        _ = await run(file, "--store", "sqlite:\(database)")
        try await SQLiteStore(at: database, GenealogyTables.persons).execute(sql)
        let (status, console) = await run("--store", "sqlite:\(database)", "--find", "lee")
        #expect(status == .unreadable)
        #expect(console.complaints.count == 1)
      }
    }

    @Test func `a file that is not a database is an error`() async throws {
      try await withFamily { file, database in
        try FileManager.default.copyItem(atPath: file, toPath: database)
        let text = await run(file, "--store", "sqlite:\(database)")
        #expect(text.status == .unreadable)
        let complaint = try #require(text.console.complaints.first)
        #expect(complaint.contains(": error: It cannot be read: SQLITE_NOTADB"))

        let folder = URL(filePath: file).deletingLastPathComponent().path
        #expect(await run(file, "--store", "sqlite:\(folder)").status == .unreadable)
        let nowhere = await run(file, "--store", "sqlite:\(folder)/nowhere/a.sqlite")
        #expect(nowhere.status == .cannotWrite)
        #expect(nowhere.console.complaints.first?.contains("It cannot be written: ") == true)
      }
    }

    @Test func `a refused edit is not made`() async throws {
      try await withTemporaryPath("small.ged", holding: smallFamily) { file in
        let database = file + ".sqlite"
        let store = ["--store", "sqlite:\(database)"]
        _ = await run([file] + store)
        try await SQLiteStore(at: database, GenealogyTables.persons).execute(
          "CREATE TRIGGER no BEFORE UPDATE ON persons BEGIN SELECT RAISE(ABORT, 'no'); END")
        let (status, console) = await shell(store, "rename I6 Zara\nchanges\nundo\nfind zo")
        #expect(status == .cannotWrite)
        #expect(console.complaints.count == 2)
        #expect(
          console.complaints.first?.hasPrefix(
            "standard input:1: error: It cannot be written: ") == true)
        #expect(
          console.output == """
            nothing has changed
            Zoë Lee (d. bef. 1850) @I6@
            1 individual

            """)
      }
    }
  }
#endif
