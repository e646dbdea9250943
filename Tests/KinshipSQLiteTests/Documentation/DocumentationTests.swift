#if SQLite
  import KinshipTestSupport
  import Testing

  /// Every Swift example in the documentation is in `DocumentationExamples.swift`, where it is
  /// compiled and run.
  struct DocumentationTests {
    @Test func `every example in the documentation is compiled and run`() throws {
      let sources = try CodeExample.sources(in: "Tests/KinshipSQLiteTests")
      var count = 0
      let folders = ["Sources/KinshipSQL", "Sources/KinshipSQLite"]
      for file in try folders.flatMap({ try RepositoryFile.all(in: $0) }) {
        for example in CodeExample.all(in: file) {
          count += 1
          #expect(
            sources.contains { $0.contains(example) },
            "\(file.path):\(example.line) is not in the examples that are compiled:\n\(example)")
        }
      }
      #expect(count > 5, "the search for examples finds too few")
    }
  }
#endif
