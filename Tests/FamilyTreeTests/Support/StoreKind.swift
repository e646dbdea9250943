import Foundation
import KinshipProgram
import Testing

@testable import family_tree

/// The kinds of stores that can contain a genealogy.
enum StoreKind: CaseIterable {
  case files
  #if SQLite
    case sqlite
  #endif

  /// The argument of `--store` for a store at a path.
  func argument(_ path: String) -> String {
    switch self {
    case .files: path
    #if SQLite
      case .sqlite: "sqlite:\(path)"
    #endif
    }
  }

  func location(_ path: String) -> StoreLocation {
    switch self {
    case .files: .directory(path)
    #if SQLite
      case .sqlite: .database(path)
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

/// An archive over a new store with a genealogy.
func filledArchive(
  _ location: StoreLocation, _ genealogy: Genealogy, capacity: Int
) async throws -> Archive {
  let store = try await location.make()
  let origin = Origin(path: "filled", bytes: [])
  #expect(try await genealogy.write(to: store, origin))
  return try Archive(store, Options(capacity: capacity))
}
