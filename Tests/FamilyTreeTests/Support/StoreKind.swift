import Foundation

@testable import family_tree

/// The kinds of stores that a genealogy can be kept in.
enum StoreKind: CaseIterable {
  case files
  #if SQLite
    case sqlite
  #endif

  /// What `--store` takes for a store at a path.
  func argument(_ path: String) -> String {
    switch self {
    case .files: path
    #if SQLite
      case .sqlite: "sqlite:\(path)"
    #endif
    }
  }

  /// A figure that only such stores have.
  var figure: String {
    switch self {
    case .files: "records on disk"
    #if SQLite
      case .sqlite: "statements"
    #endif
    }
  }

  var provider: any StoredGenealogy.Type {
    switch self {
    case .files: GenealogyFiles.self
    #if SQLite
      case .sqlite: SQLiteGenealogy.self
    #endif
    }
  }
}

/// The bytes of a file, or of all files in a directory by their names.
func contents(of path: String) throws -> [String: Data] {
  var contents: [String: Data] = [:]
  let names = try? FileManager.default.contentsOfDirectory(atPath: path)
  for name in names ?? [""] {
    contents[name] = try Data(contentsOf: URL(filePath: path).appending(path: name))
  }
  return contents
}
