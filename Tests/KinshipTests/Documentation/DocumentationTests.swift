import KinshipTestSupport
import Testing

/// Every Swift example in the documentation stands in `DocumentationExamples*.swift`, where it is
/// compiled and run.
struct DocumentationTests {
  @Test func everyExampleIsCompiledAndRun() throws {
    let sources = try CodeExample.sources(in: "Tests")
    var count = 0
    for file in try Self.documentation() {
      for example in CodeExample.all(in: file) {
        count += 1
        #expect(
          sources.contains { $0.contains(example) },
          "\(file.path):\(example.line) is not in the examples that are compiled:\n\(example)")
      }
    }
    #expect(count > 30, "the search for examples finds too few")
  }

  /// README, articles and sources.
  private static func documentation() throws -> [RepositoryFile] {
    try [RepositoryFile("README.md")] + RepositoryFile.all(in: "Sources/Kinship")
      + RepositoryFile.all(in: "Sources/KinshipConformance")
  }

  @Test func anExampleMayBeIndentedButNotChanged() {
    let source = CodeExample(lines: ["func f() {", "  if a {", "    b()", "", "  }", "}"])
    #expect(source.contains(CodeExample(lines: ["if a {", "  b()", "", "}"])))
    #expect(!source.contains(CodeExample(lines: ["if a {", "  c()", "", "}"])))
    #expect(!source.contains(CodeExample(lines: ["if a {", "b()", "", "}"])))
    #expect(!source.contains(CodeExample(lines: ["  }", "}", "}"])))
  }

  @Test func examplesAreFoundInArticlesAndComments() {
    let article = RepositoryFile(
      path: "A.md",
      text: "Text\n```swift\nlet a = 1\n```\n```sh\nls\n```\n  ```swift\n  b()\n  ```\n")
    #expect(CodeExample.all(in: article).map(\.lines) == [["let a = 1"], ["b()"]])
    let source = RepositoryFile(
      path: "A.swift",
      text: "  /// Text\n  /// ```swift\n  /// a {\n  ///   b()\n  /// ```\n  let a = 1\n")
    #expect(CodeExample.all(in: source).map(\.lines) == [["a {", "  b()"]])
    #expect(CodeExample.all(in: source).map(\.line) == [3])
  }
}
