#if SQLite
  import KinshipTestSupport
  import Testing

  @testable import KinshipStoreTestSupport

  /// The tutorials' programs over a database.
  struct TutorialTests {
    @Test(arguments: ["Database", "Screens"])
    func `a tutorial's program prints the output shown`(name: String) async throws {
      let program = try TutorialProgram(name)
      #expect(try await program.run() == program.shown().printed)
      // The second time, the tables are filled.
      #expect(try await program.run().first?.hasPrefix("The tables") == false)
    }

    /// Cold, warm, and after another program has changed a row.
    @Test func `the warm start prints the output shown`() async throws {
      let program = try TutorialProgram("WarmStart")
      for number in 1...3 {
        let shown = try program.shown(number)
        for command in shown.typed where command != "swift run" {
          let parts = command.split(separator: "\"").map(String.init)
          try #require(parts.count == 2 && parts[0] == "sqlite3 albums.sqlite ")
          try OtherConnection(program.path("albums.sqlite")).execute(parts[1])
        }
        #expect(try await program.run() == shown.printed, "start \(number)")
      }
    }
  }
#endif
