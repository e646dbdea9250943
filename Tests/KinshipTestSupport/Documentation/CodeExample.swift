/// A piece of Swift code, with any indentation.
package struct CodeExample: CustomStringConvertible {
  /// The lines, without the indentation that they share.
  package let lines: [String]
  /// The number of the first one in its file.
  package let line: Int

  package init(lines: [some StringProtocol], line: Int = 1) {
    let indent = lines.filter { !$0.isBlank }.map(\.indent).min() ?? 0
    self.lines = lines.map { $0.isBlank ? "" : String($0.dropFirst(indent)) }
    self.line = line
  }

  /// The blocks of a file that are fenced as Swift: in an article, or in the documentation comments
  /// of a source.
  package static func all(in file: RepositoryFile) -> [CodeExample] {
    let isArticle = file.name.hasSuffix(".md")
    var examples: [CodeExample] = []
    var block: (lines: [Substring], line: Int)?
    for (number, line) in file.lines.enumerated() {
      guard let text = isArticle ? line[...] : line.documentation else {
        block = nil
        continue
      }
      let fence = text.drop { $0 == " " }
      if let open = block, fence.hasPrefix("```") {
        examples.append(CodeExample(lines: open.lines, line: open.line))
        block = nil
      } else if block != nil {
        block?.lines.append(text)
      } else if fence == "```swift" {
        block = ([], number + 2)
      }
    }
    return examples
  }

  /// The code of a test target's files that contain the documentation's examples: parts of tests,
  /// and a complete program.
  package static func sources(in folder: String) throws -> [CodeExample] {
    try RepositoryFile.all(in: folder).filter {
      $0.name.hasPrefix("DocumentationExamples") || $0.path.hasSuffix("ReadmeProgram/main.swift")
    }.map { CodeExample(lines: $0.lines) }
  }

  /// Whether this piece contains another one, line by line.
  package func contains(_ other: CodeExample) -> Bool {
    lines.indices.contains { start in
      let end = start + other.lines.count
      guard end <= lines.count, lines[start].hasSuffix(other.lines[0]) else { return false }
      return CodeExample(lines: Array(lines[start..<end])).lines == other.lines
    }
  }

  package var description: String { lines.joined(separator: "\n") }
}

extension StringProtocol {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }

  fileprivate var indent: Int { prefix { $0 == " " }.count }

  /// The text of a line of a documentation comment.
  fileprivate var documentation: Substring? {
    let text = drop { $0 == " " }
    guard text.hasPrefix("///") else { return nil }
    return Substring(text.dropFirst(text.hasPrefix("/// ") ? 4 : 3))
  }
}
