import KinshipProgram
import Testing

@testable import family_tree

/// Edits in a store: an edit that the shell reported is there the next time.
struct StoreShellTests {
  /// Runs the shell on the small family, once with each script, and returns the outputs.
  ///
  /// There must be no complaint.
  private func sessions(
    in kind: StoreKind, _ scripts: String..., capacity: Int = 500
  ) async throws -> [String] {
    try await withTemporaryPath("small.ged", holding: smallFamily) { file in
      let store = ["--store", kind.argument(file + ".store"), "--capacity", "\(capacity)"]
      _ = await run([file] + store)
      var outputs: [String] = []
      for script in scripts {
        let (status, console) = await shell(store, script)
        #expect(status == .success)
        #expect(console.complaints == [])
        outputs.append(console.output)
      }
      return outputs
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `edits are there in the next run`(in kind: StoreKind) async throws {
    let outputs = try await sessions(
      in: kind,
      "rename I6 Zara /Leigh/\ndelete I2", "find zara\nshow I1\nshow I3\nfind lee")
    #expect(
      outputs[1] == """
        Zara Leigh (d. bef. 1850) @I6@
        1 individual
        Ann Lee (1902–1980) @I1@
          born          2 Feb 1902, Leeds, England
          died          1980
          mother        Mary Lee @I3@
        Mary Lee @I3@
          father        Owen Lee @I5@
          family        @F1@
          married       1 May 1900, York
          child         Ann Lee (1902–1980) @I1@
        Ann Lee (1902–1980) @I1@
        Mary Lee @I3@
        Hugh Lee @I4@
        Owen Lee @I5@
        4 individuals

        """)
  }

  @Test(arguments: StoreKind.allCases, [1, 3, 500])
  func `undo restores the genealogy for the next run`(in kind: StoreKind, capacity: Int)
    async throws
  {
    let everybody = ["I1", "I2", "I3", "I4", "I5", "I6"].map { "show \($0) all" }
    let questions = everybody.joined(separator: "\n")
    let outputs = try await sessions(
      in: kind,
      questions,
      "rename I1 Anna\ndelete I3\nrename I2 Ida\nundo\nundo\nundo\nchanges", questions,
      capacity: capacity)
    #expect(outputs[1].hasSuffix("\nnothing has changed\n"))
    #expect(outputs[2] == outputs[0])
  }

  @Test(arguments: StoreKind.allCases)
  func `watch prints changes in a pedigree`(in kind: StoreKind) async throws {
    let outputs = try await sessions(
      in: kind,
      "watch I1 1\nrename I2 Jack /Lee/\nrename I6 Zara\ndelete I3\nundo", capacity: 2)
    #expect(
      outputs[0] == """
        watching @I1@: 3 persons
        changed  Jack Lee @I2@: name John Lee → Jack Lee
        @I1@ changed  Jack Lee @I2@: name John Lee → Jack Lee
        changed  Zara @I6@: name Zoë Lee → Zara
        changed  Ann Lee @I1@: mother @I3@ → none
        changed  family @F1@: wife @I3@ → none
        changed  family @F3@: without child @I3@
        deleted  Mary Lee @I3@
        @I1@ changed  Ann Lee @I1@: mother @I3@ → none
        @I1@ left     Mary Lee @I3@
        added    Mary Lee @I3@
        changed  Ann Lee @I1@: mother none → @I3@
        changed  family @F1@: wife none → @I3@
        changed  family @F3@: with child @I3@
        @I1@ joined   Mary Lee @I3@
        @I1@ changed  Ann Lee @I1@: mother none → @I3@

        """)
  }

  @Test(arguments: StoreKind.allCases)
  func `the summary follows edits`(in kind: StoreKind) async throws {
    try await withTemporaryPath("small.ged", holding: smallFamily) { file in
      let store = ["--store", kind.argument(file + ".store"), "--capacity", "3"]
      let before = await run([file, "--summary"] + store).console.output
      #expect(before.hasPrefix("6 individuals, 4 families, 5 events, 2 places\n"))
      // The two events of the first are gone.
      _ = await shell(store, "delete I1")
      let after = await run(["--summary"] + store).console.output
      #expect(after.hasPrefix("5 individuals, 4 families, 3 events, 2 places\n"))
      _ = await shell(store, "rename I2 Jack\nundo\nredo\ndelete I3\nundo")
      let same = await run(["--summary"] + store).console.output
      #expect(same.hasPrefix("5 individuals, 4 families, 3 events, 2 places\n"))
    }
  }
}
