import Foundation

/// A text file of this package, for tests that hold the sources and the documentation to rules.
struct RepositoryFile {
  /// The path from the root of the package.
  let path: String
  let text: String

  var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  var lines: [String] { text.components(separatedBy: "\n") }

  init(path: String, text: String) {
    self.path = path
    self.text = text
  }

  init(_ path: String) throws {
    self.init(
      path: path,
      text: try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8))
  }

  /// The Swift and Markdown files in a folder and the folders in it, in the order of their paths.
  static func all(in folder: String) throws -> [RepositoryFile] {
    try FileManager.default.subpathsOfDirectory(
      atPath: root.appendingPathComponent(folder).path
    )
    .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }
    .sorted()
    .map { try RepositoryFile("\(folder)/\($0)") }
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
