#if SQLite || PostgreSQL
  import Kinship
  import KinshipProgram
  import Testing

  @testable import family_tree

  /// Tests of two or more shells over one store that contains the small family.
  struct SharedGenealogy {
    let store: String

    /// Each shell sees the other's edits, and reports their effect on the pedigree it watches.
    func eachSeesTheOthersEdits() async throws {
      let (mine, theirs) = (try await OpenShell(store), try await OpenShell(store))
      #expect(try await mine.answer("watch I1 1") == "watching @I1@: 3 persons\n")
      #expect(try await theirs.answer("watch I3 1") == "watching @I3@: 2 persons\n")

      _ = try await theirs.answer("rename I2 Jack /Lee/")
      #expect(
        try await mine.answer("show I2") == """
          @I1@ changed  Jack Lee @I2@: name John Lee → Jack Lee
          Jack Lee (b. c. 1870) @I2@
            born          about 1870
            father        Hugh Lee @I4@
            family        @F1@
            partner       Mary Lee @I3@
            married       1 May 1900, York
            child         Ann Lee (1902–1980) @I1@

          """)
      // A change that was reported is not reported again.
      #expect(try await mine.answer("find jack") == "Jack Lee (b. c. 1870) @I2@\n1 individual\n")

      _ = try await mine.answer("rename I3 Abby /Lee/\nrename I4 Aaron /Lee/")
      #expect(
        try await theirs.answer("find aaron") == """
          @I3@ changed  Abby Lee @I3@: name Mary Lee → Abby Lee
          Aaron Lee @I4@
          1 individual

          """)
      _ = try await theirs.answer("delete I2")
      #expect(
        try await mine.answer("changes").hasPrefix(
          """
          @I1@ changed  Ann Lee @I1@: father @I2@ → none
          @I1@ left     Jack Lee @I2@
          changed  Abby Lee @I3@: name Mary Lee → Abby Lee
          changed  Aaron Lee @I4@: name Hugh Lee → Aaron Lee

          """))
      try await mine.end()
      try await theirs.end()
    }

    /// Undo leaves a record alone that another shell has edited since.
    func whatOthersHaveEditedIsNotUndone() async throws {
      let (mine, theirs) = (try await OpenShell(store), try await OpenShell(store))
      _ = try await mine.answer("rename I6 Zara\nrename I5 Otto")
      _ = try await theirs.answer("rename I6 Sarah")
      #expect(try await mine.answer("undo").hasPrefix("changed  Owen Lee @I5@: "))
      #expect(try await mine.answer("undo") == "")
      #expect(mine.console.complaints.count == 1)
      #expect(try await theirs.answer("find sarah").hasSuffix("\n1 individual\n"))
      try await mine.end()
      try await theirs.end()
    }

    /// All simultaneous edits are made.
    func editsAtTheSameTime() async throws {
      let persons = ["I1", "I2", "I3", "I4"]
      try await withThrowingTaskGroup { group in
        for person in persons {
          group.addTask {
            let shell = try await OpenShell(store)
            for number in 1...6 {
              let answer = try await shell.answer("rename \(person) N\(number)")
              #expect(answer.hasPrefix("changed  N\(number) @\(person)@: "))
            }
            #expect(shell.console.complaints == [])
            try await shell.end()
          }
        }
        try await group.waitForAll()
      }
      #expect(await run("--store", store, "--find", "N6").console.output.contains("4 individuals"))
    }
  }
#endif
