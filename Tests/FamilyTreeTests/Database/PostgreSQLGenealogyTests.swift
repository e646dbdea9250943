#if PostgreSQL
  import Foundation
  import Kinship
  import KinshipProgram
  @testable import KinshipPostgreSQL
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  @testable import KinshipStoreTestSupport
  @testable import family_tree

  @Suite(.dedicatedThreads, .needsServer) struct PostgreSQLGenealogyTests {
    /// Runs a body with the small family's file and an empty database.
    private func withFamily(
      _ body: (_ file: String, _ store: String, _ database: TestDatabase) async throws -> Void
    ) async throws {
      let database = try TestDatabase.make()
      try await withTemporaryPath("small.ged", holding: smallFamily) { file in
        try await body(file, "postgresql:\(database.conninfo)", database)
      }
    }

    private func withStore(_ body: (SharedGenealogy) async throws -> Void) async throws {
      try await withFamily { file, store, _ in
        _ = await run(file, "--store", store)
        try await body(SharedGenealogy(store: store))
      }
    }

    /// Counts the tables, except the server's own.
    private func tables(in database: TestDatabase) throws -> Int64? {
      let sql = "SELECT count(*) FROM pg_tables WHERE schemaname IN ('public', 'kinship')"
      return try database.connect().query(sql).integer()
    }

    @Test func `each shell sees the other's edits`() async throws {
      try await withStore { try await $0.eachSeesTheOthersEdits() }
    }

    @Test func `an edit by others is not undone`() async throws {
      try await withStore { try await $0.whatOthersHaveEditedIsNotUndone() }
    }

    @Test func `simultaneous edits all succeed`() async throws {
      try await withStore { try await $0.editsAtTheSameTime() }
    }

    @Test func `a file is imported once`() async throws {
      try await withFamily { file, store, database in
        let plain = await run(file, "--summary").console.output
        let first = await run(file, "--store", store, "--summary")
        let name = DatabaseName(database.conninfo).description
        #expect(first.status == .success)
        #expect(first.console.output == plain)
        #expect(first.console.complaints == ["\(name): 17 records written"])
        #expect(first.console.progress.contains("Writing \(name)"))
        for arguments in [[file], []] {
          let again = await run(arguments + ["--store", store, "--summary"])
          #expect(again.console.output == plain)
          #expect(again.console.complaints == [])
        }
        try Data(ownAncestor.utf8).write(to: URL(filePath: file))
        let changed = await run(file, "--store", store)
        #expect(changed.status == .badData)
        #expect(changed.console.complaints.first?.hasPrefix("\(name): error: small.ged ") == true)
      }
    }

    @Test func `simultaneous imports give one genealogy`() async throws {
      for _ in 0..<4 {
        try await withFamily { file, store, database in
          let plain = await run(file, "--summary").console.output
          let programs = (0..<3).map { _ in
            Task { await run(file, "--store", store, "--summary") }
          }
          for program in programs {
            let (status, console) = await program.value
            #expect(status == .success, "\(console.complaints)")
            #expect(console.output == plain)
          }
          let rows = try database.connect().query("SELECT count(*) FROM persons")
          #expect(rows.integer() == 6)
        }
      }
    }

    @Test(.needsRoyalFile) func `a server gives the same answers as memory`() async throws {
      let database = try TestDatabase.make()
      let store = ["--store", "postgresql:\(database.conninfo)", "--capacity", "100"]
      let questions = [
        ["--summary", "--person", "I609"], ["--find", "victoria"], ["--ancestors", "all"],
        ["--where", "born=1800", "--sort", "-born"],
        ["--where", "place=england", "--where", "born=1800..1850", "--page-size", "9"],
        ["--where", "name=wettin", "--sort", "surname,-born"],
      ]
      var file = [RoyalFile.path]
      for question in try Effort().some(of: questions) {
        let plain = await run([RoyalFile.path] + question)
        let (status, console) = await run(file + store + question)
        #expect(status == plain.status)
        #expect(console.output == plain.console.output)
        // The server has the records of the file now.
        file = []
      }
      let edits = """
        watch I3 3
        delete I1
        undo
        rename I4 Tom /X/
        delete I9
        redo
        undo
        undo
        changes
        show I1
        """
      let stored = await shell(store, edits).console
      let plain = await shell([RoyalFile.path], edits).console
      #expect(stored.output == plain.output)
      #expect(stored.complaints == plain.complaints)
    }

    @Test func `the next run is warm`() async throws {
      try await withFamily { file, store, _ in
        let warm = ["--store", store, "--snapshot", file + ".warm", "--person", "I1", "--stats"]
        _ = await run([file] + warm)
        let second = await run(warm)
        #expect(second.console.output.contains("\n  store calls                0\n"))
        _ = await shell(["--store", store], "rename I1 Anna /Lee/")
        #expect(await run(warm).console.output.hasPrefix("Anna Lee "))
      }
    }

    @Test func `an interrupted import is completed`() async throws {
      try await withFamily { file, store, database in
        // Only the tables exist.
        try await PostgreSQLStore(database.conninfo).execute(GenealogySchema.postgreSQL)
        #expect(await run("--store", store).status == .unreadable)
        let (status, console) = await run(file, "--store", store)
        #expect(status == .success)
        #expect(console.complaints.first?.hasSuffix(": 17 records written") == true)
      }
    }

    @Test func `a run without a file needs a stored genealogy`() async throws {
      try await withFamily { _, store, database in
        let (status, console) = await run("--store", store)
        #expect(status == .unreadable)
        #expect(console.complaints.first?.contains("There is no genealogy in it yet") == true)
        let tables = try tables(in: database)
        #expect(tables == 0)
      }
    }

    @Test(arguments: [("persons", KinshipProgram.ExitStatus.unreadable), ("events", .cannotWrite)])
    func `another program's database is left alone`(
      table: String, expected: KinshipProgram.ExitStatus
    ) async throws {
      try await withFamily { file, store, database in
        try database.connect().execute("CREATE TABLE \(table) (id bigint PRIMARY KEY)")
        let (status, console) = await run(file, "--store", store)
        #expect(status == expected)
        #expect(console.complaints.first?.contains(table.dropLast()) == true)
        let tables = try tables(in: database)
        #expect(tables == 1)
      }
    }

    @Test func `a refused edit is not made`() async throws {
      try await withFamily { file, store, database in
        _ = await run(file, "--store", store)
        try database.connect().execute(
          """
          CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS
            $$BEGIN RAISE EXCEPTION 'no'; END$$;
          CREATE TRIGGER no BEFORE UPDATE ON persons FOR EACH ROW EXECUTE FUNCTION no()
          """)
        let (status, console) = await shell(
          ["--store", store], "rename I6 Zara\nchanges\nfind zo")
        #expect(status == .cannotWrite)
        #expect(
          console.complaints.first?.hasPrefix(
            "standard input:1: error: It cannot be written: PostgreSQL reports P0001: ") == true)
        #expect(
          console.output == "nothing has changed\nZoë Lee (d. bef. 1850) @I6@\n1 individual\n")
      }
    }

    /// Without the server, no command runs that could show outdated data.
    ///
    /// With it, everything works again.
    @Test func `a shell survives a restart of the server`() async throws {
      let server = try PostgreSQLServer()
      defer { server.stop() }
      try await withTemporaryPath("small.ged", holding: smallFamily) { file in
        let store = "postgresql:\(server.conninfo())"
        _ = await run(file, "--store", store)
        let mine = try await OpenShell(store)
        _ = try await mine.answer("watch I1 1")
        server.end(SIGINT)
        #expect(try await mine.answer("show I1") == "")
        #expect(
          mine.console.complaints.last?.contains("It is not known what others have changed: ")
            == true)
        let (status, console) = await run("--store", store)
        #expect(status == .unreadable)
        #expect(console.complaints.first?.contains(": error: It cannot be read: ") == true)
        try server.start()
        _ = await shell(["--store", store], "rename I2 Jack /Lee/")
        #expect(
          try await mine.answer("undo")
            == "@I1@ changed  Jack Lee @I2@: name John Lee → Jack Lee\n")
        try await mine.end()
      }
    }

    @Test func `no message contains the password`() async throws {
      try await withFamily { file, _, database in
        let secret = "s3cret"
        let conninfo = database.conninfo.replacing(database.name, with: "nowhere")
        let missing = await run(file, "--store", "postgresql:\(conninfo) password=\(secret)")
        #expect(missing.status == .cannotWrite || missing.status == .unreadable)
        #expect(missing.console.complaints.count == 1)
        #expect(!missing.console.complaints.joined().contains(secret))
        #expect(missing.console.complaints.joined().contains("dbname=nowhere: error: "))
        let found = await run(
          file, "--store", "postgresql:\(database.conninfo) password='\(secret)'")
        #expect(found.status == .success)
        #expect(!(found.console.complaints.joined() + found.console.output).contains(secret))
      }
    }
  }
#endif
