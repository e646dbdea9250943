#if SQLite
  import KinshipProgram
  import KinshipTestTraits
  import Testing

  @testable import family_tree

  /// Several shells over one SQLite database.
  @Suite(.dedicatedThreads)
  struct SharedStoreTests {
    private func withStore(_ body: (SharedGenealogy) async throws -> Void) async throws {
      try await withTemporaryPath("small.ged", holding: smallFamily) { file in
        let store = "sqlite:\(file).sqlite"
        _ = await run(file, "--store", store)
        try await body(SharedGenealogy(store: store))
      }
    }

    @Test func eachShellSeesTheOthersEdits() async throws {
      try await withStore { try await $0.eachSeesTheOthersEdits() }
    }

    @Test func whoWaitsIsTold() async throws {
      try await withStore { try await $0.whoWaitsIsTold() }
    }

    @Test func whatOthersHaveEditedIsNotUndone() async throws {
      try await withStore { try await $0.whatOthersHaveEditedIsNotUndone() }
    }

    @Test func editsAtTheSameTime() async throws {
      try await withStore { try await $0.editsAtTheSameTime() }
    }

    /// Where nobody else can edit, there is nobody to wait for.
    @Test(arguments: [["--store"], []]) func nobodyElseIsWaitedFor(arguments: [String]) async throws
    {
      try await withTemporaryPath("small.ged", holding: smallFamily) { file in
        let store = arguments.map { $0 } + (arguments.isEmpty ? [] : ["\(file).store"])
        let (status, console) = await shell([file] + store, "watch I1\nwait 60")
        #expect(status == .notFound)
        #expect(console.complaints.last?.contains("nobody else can edit this genealogy") == true)
      }
      try await withStore { shared in
        let (status, console) = await shell(["--store", shared.store], "wait 60\nwait\nwait x")
        #expect(status == .notFound)
        #expect(
          console.complaints == [
            "standard input:1: error: nothing is watched",
            "standard input:2: error: it takes more: wait SECONDS",
            "standard input:3: error: it takes a number of seconds from 1 to 86,400; not “x”",
          ])
      }
    }
  }
#endif
