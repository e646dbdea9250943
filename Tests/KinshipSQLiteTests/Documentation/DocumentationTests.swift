#if SQLite
  import Foundation
  import Testing

  /// Every Swift example in the documentation stands in `DocumentationExamples.swift`, where it is compiled
  /// and run.
  struct DocumentationTests {
    @Test func everyExampleIsCompiledAndRun() throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      let examples = lines(
        try text(
          root.appending(
            path: "Tests/KinshipSQLiteTests/Documentation/DocumentationExamples.swift")))
      let folder = root.appending(path: "Sources/KinshipSQLite")
      var count = 0
      for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      where file.hasSuffix(".swift") || file.hasSuffix(".md") {
        for block in blocks(in: try text(folder.appending(path: file))) {
          count += 1
          #expect(
            contains(examples, block),
            "\(file) has what is not in the examples:\n\(block.joined(separator: "\n"))")
        }
      }
      #expect(count > 12, "the search for examples finds too few")
    }

    private func text(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

    private func lines(_ text: String) -> [Substring] {
      text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The blocks that are fenced as Swift, without the marks of comments.
    private func blocks(in text: String) -> [[Substring]] {
      var blocks: [[Substring]] = []
      var block: [Substring]?
      for line in lines(text) {
        var line = line
        let trimmed = line.drop { $0 == " " }
        if trimmed.hasPrefix("///") { line = trimmed.dropFirst(trimmed.hasPrefix("/// ") ? 4 : 3) }
        if let open = block {
          if line.hasPrefix("```") {
            blocks.append(open)
            block = nil
          } else {
            block?.append(line)
          }
        } else if line == "```swift" {
          block = []
        }
      }
      return blocks
    }

    /// Whether a block stands in a text line by line, whatever its indentation as a whole.
    ///
    /// Its first line may be the end of one.
    private func contains(_ text: [Substring], _ block: [Substring]) -> Bool {
      func unindented(_ lines: ArraySlice<Substring>) -> [Substring] {
        let indent =
          lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { $0.dropFirst(indent) }
      }
      return text.indices.contains { start in
        let end = start + block.count
        return end <= text.count && text[start].hasSuffix(block[0])
          && unindented(text[start..<end]) == block
      }
    }
  }
#endif
