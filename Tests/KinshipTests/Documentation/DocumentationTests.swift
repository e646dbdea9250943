import Foundation
import KinshipTestSupport
import Testing

/// Every Swift example in the documentation stands in `DocumentationExamples*.swift`, where it is
/// compiled and run.
struct DocumentationTests {
  @Test func `every example in the documentation is compiled and run`() throws {
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
      + RepositoryFile.all(in: "Sources/KinshipSync")
      + RepositoryFile.all(in: "Sources/KinshipTesting")
      + RepositoryFile.all(in: "Sources/KinshipFileStore")
      + RepositoryFile.all(in: "Sources/KinshipFoundation")
      + RepositoryFile.all(in: "Sources/KinshipTranslation")
  }

  /// The README contains the complete program, and its output.
  @Test func `the README's program prints what the README says`() async throws {
    let program = try RepositoryFile("Tests/ReadmeProgram/main.swift")
    let readme = try RepositoryFile("README.md")
    let lines = readme.text.split(separator: program.text, maxSplits: 1)
    let said = try #require(lines.last?.split(separator: "```text\n").dropFirst().first)
    #expect(lines.count == 2)

    let process = Process()
    // The program is next to the tests.
    process.executableURL = Bundle.main.bundleURL.appending(path: "ReadmeProgram")
    let output = Pipe()
    process.standardOutput = output
    try await process.runToItsEnd()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(process.terminationStatus == 0)
    #expect(String(bytes: printed, encoding: .utf8) == String(said.prefix { $0 != "`" }))
  }

  @Test func `the README is short and its commands are run in CI`() throws {
    let readme = try RepositoryFile("README.md")
    #expect(readme.lines.count <= 121, "more than 120 lines, and the end of the last")
    // CI runs the commands that the README shows.
    let gate = try RepositoryFile(".ci/run")
    for command in ["swift test --quiet", "swift test --quiet --traits SQLite,PostgreSQL"] {
      #expect(readme.lines.contains(command))
    }
    #expect(gate.text.contains("swift test --quiet \"$@\""))
    #expect(gate.text.contains("traits=(--traits SQLite,PostgreSQL)"))
  }

  @Test func `an example may be indented but not changed`() {
    let source = CodeExample(lines: ["func f() {", "  if a {", "    b()", "", "  }", "}"])
    #expect(source.contains(CodeExample(lines: ["if a {", "  b()", "", "}"])))
    #expect(!source.contains(CodeExample(lines: ["if a {", "  c()", "", "}"])))
    #expect(!source.contains(CodeExample(lines: ["if a {", "b()", "", "}"])))
    #expect(!source.contains(CodeExample(lines: ["  }", "}", "}"])))
  }

  @Test func `examples are found in articles and comments`() {
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
