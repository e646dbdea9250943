#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import Testing

  @testable import family_tree

  @Suite struct DatabaseTests {
    /// Does something with the small family's file and the path of a database that is not there yet.
    private func withFamily(_ body: (_ file: String, _ database: String) async throws -> Void)
      async throws
    {
      try await withTemporaryPath("small.ged", holding: smallFamily) { file in
        try await body(file, file + ".sqlite")
      }
    }

    @Test func aFileIsImportedOnce() async throws {
      try await withFamily { file, database in
        let store = "sqlite:\(database)"
        let plain = await run(file, "--summary").console.output
        let first = await run(file, "--store", store, "--summary")
        #expect(first.status == .success)
        #expect(first.console.output == plain)
        #expect(first.console.complaints == ["\(database): 17 records written"])
        #expect(first.console.progress == ["Writing \(database)", nil])

        let copy = file + ".copy.ged"
        try FileManager.default.copyItem(atPath: file, toPath: copy)
        for arguments in [[file], [copy], []] {
          let again = await run(arguments + ["--store", store, "--summary"])
          #expect(again.status == .success)
          #expect(again.console.output == plain)
          #expect(again.console.complaints == [])
          #expect(again.console.progress == [])
        }
      }
    }

    @Test func nothingIsLeftBesideTheDatabase() async throws {
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

    @Test func anImportThatWasInterruptedIsMade() async throws {
      try await withFamily { file, database in
        // Only the tables are there.
        _ = try SQLiteStore(
          at: database, GenealogySchema.persons,
          configuration: SQLiteConfiguration(setup: GenealogySchema.sql))
        let (status, console) = await run(file, "--store", "sqlite:\(database)")
        #expect(status == .success)
        #expect(console.complaints == ["\(database): 17 records written"])
      }
    }

    @Test func anImportThatFailsLeavesNothing() async throws {
      try await withFamily { file, database in
        let store = try SQLiteStore(
          at: database, GenealogySchema.size,
          configuration: SQLiteConfiguration(setup: GenealogySchema.sql))
        try await store.execute(
          "CREATE TRIGGER no BEFORE INSERT ON source BEGIN SELECT RAISE(ABORT, 'no'); END")
        let failed = await run(file, "--store", "sqlite:\(database)")
        #expect(failed.status == .cannotWrite)
        #expect(
          failed.console.complaints.first?.hasPrefix(
            "\(database): error: it cannot be written: SQLITE_CONSTRAINT_TRIGGER: no") == true)
        #expect(try await store.fetch(Archive.Size.self, ids: [1]).first?.records == 0)

        try await store.execute("DROP TRIGGER no")
        #expect(await run(file, "--store", "sqlite:\(database)").status == .success)
        #expect(try await store.fetch(Archive.Size.self, ids: [1]).first?.records == 17)
      }
    }

    @Test func anotherGenealogyIsRefused() async throws {
      try await withFamily { file, database in
        let store = "sqlite:\(database)"
        _ = await run(file, "--store", store)
        let before = FileManager.default.contents(atPath: database)

        let other = file + ".other.ged"
        try Data(ownAncestor.utf8).write(to: URL(filePath: other))
        let refused = await run(other, "--store", store)
        #expect(refused.status == .badData)
        #expect(
          refused.console.complaints.first?.hasPrefix(
            "\(database): error: it holds another genealogy, imported from small.ged. ") == true)

        try Data(ownAncestor.utf8).write(to: URL(filePath: file))
        let changed = await run(file, "--store", store)
        #expect(changed.status == .badData)
        #expect(
          changed.console.complaints == [
            """
            \(database): error: small.ged is not as it was when it was imported. Nothing was \
            changed: leave the file out to explore what was imported, or choose another database \
            to import small.ged
            """
          ])
        #expect(FileManager.default.contents(atPath: database) == before)
      }
    }

    @Test func theDatabaseOfAnotherProgramIsLeftAlone() async throws {
      try await withFamily { file, database in
        struct Thing: Record, Codable { let id: Int }
        _ = try SQLiteStore(
          at: database, SQLiteTable<Thing>("persons"),
          configuration: SQLiteConfiguration(setup: "CREATE TABLE persons (id INTEGER PRIMARY KEY)")
        )
        let before = FileManager.default.contents(atPath: database)
        for arguments in [[file], []] {
          let (status, console) = await run(arguments + ["--store", "sqlite:\(database)"])
          #expect(status == .badData)
          #expect(
            console.complaints == [
              "\(database): error: it is the database of another program; nothing was changed in it"
            ])
        }
        #expect(FileManager.default.contents(atPath: database) == before)
      }
    }

    @Test func filesThatAreNoDatabase() async throws {
      try await withFamily { file, database in
        try FileManager.default.copyItem(atPath: file, toPath: database)
        let text = await run(file, "--store", "sqlite:\(database)")
        #expect(text.status == .badData)
        #expect(text.console.complaints == ["\(database): error: it is no SQLite database"])

        let folder = URL(filePath: file).deletingLastPathComponent().path
        #expect(await run(file, "--store", "sqlite:\(folder)").status == .unreadable)
        let nowhere = await run(file, "--store", "sqlite:\(folder)/nowhere/a.sqlite")
        #expect(nowhere.status == .cannotWrite)
        #expect(nowhere.console.complaints.first?.contains("it cannot be written: ") == true)
      }
    }

    @Test func withoutAFileThereMustBeAGenealogy() async throws {
      try await withFamily { _, database in
        let (status, console) = await run("--store", "sqlite:\(database)")
        #expect(status == .unreadable)
        #expect(
          console.complaints == [
            "\(database): error: there is no genealogy in it yet: name a GEDCOM file to import"
          ])
        #expect(!FileManager.default.fileExists(atPath: database))
      }
    }

    @Test func aFileThatIsNotGedcomLeavesNoDatabase() async throws {
      try await withTemporaryPath("bad.ged", holding: "hello") { file in
        #expect(await run(file, "--store", "sqlite:\(file).sqlite").status == .badData)
        #expect(!FileManager.default.fileExists(atPath: file + ".sqlite"))
      }
    }

    @Test func whatItCostIsTold() async throws {
      try await withFamily { file, database in
        let console = await run(
          file, "--store", "sqlite:\(database)", "--summary", "--stats", "--capacity", "3"
        ).console
        #expect(console.output.contains("in memory                  3 of at most 3\n"))
        #expect(console.output.contains("\n  statements "))
        #expect(!console.output.contains("\n  evictions                  0\n"))
        let whole = await run("--store", "sqlite:\(database)", "--stats").console
        #expect(whole.output.contains(" of at most 500\n"))
        #expect(!(await run(file, "--stats").console.output.contains("statements")))
      }
    }
  }
#endif
