import Foundation
import Testing

/// The royal families of Europe, a file next to the project.
enum RoyalFile {
  static let path = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()  // FamilyTreeTests
    .deletingLastPathComponent().deletingLastPathComponent()  // the package
    .appending(path: "../shared/data/royal92.ged").standardizedFileURL.path

  static var exists: Bool { FileManager.default.fileExists(atPath: path) }

  static func bytes() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test, with the reason, if the file of the royal families is missing.
  static var needsRoyalFile: Self {
    .enabled(if: RoyalFile.exists, "\(RoyalFile.path) is not there")
  }
}
