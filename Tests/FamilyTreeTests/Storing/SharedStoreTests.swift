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

    @Test func `each shell sees the other's edits`() async throws {
      try await withStore { try await $0.eachSeesTheOthersEdits() }
    }

    @Test func `an edit by others is not undone`() async throws {
      try await withStore { try await $0.whatOthersHaveEditedIsNotUndone() }
    }

    @Test func `simultaneous edits all succeed`() async throws {
      try await withStore { try await $0.editsAtTheSameTime() }
    }
  }
#endif
