import Foundation

/// A text file of this package, for tests of the sources and the documentation.
package struct RepositoryFile {
  /// The path from the root of the package.
  package let path: String
  package let text: String

  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  package var lines: [String] { text.components(separatedBy: "\n") }

  package init(path: String, text: String) {
    self.path = path
    self.text = text
  }

  package init(_ path: String) throws {
    self.init(
      path: path,
      text: try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8))
  }

  /// The files with certain endings in a folder and the folders in it, in the order of their paths:
  /// by default Swift and Markdown.
  package static func all(
    in folder: String, ending endings: [String] = [".swift", ".md"]
  ) throws -> [RepositoryFile] {
    try FileManager.default.subpathsOfDirectory(
      atPath: root.appendingPathComponent(folder).path
    )
    .filter { path in endings.contains { path.hasSuffix($0) } }
    .sorted()
    .map { try RepositoryFile("\(folder)/\($0)") }
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
}
