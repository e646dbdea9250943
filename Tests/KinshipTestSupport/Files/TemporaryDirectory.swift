package import Foundation

/// A directory that is deleted, with everything in it, when this object is released.
package final class TemporaryDirectory: Sendable {
  /// Its URL.
  package let url: URL

  /// Creates a directory among the temporary files.
  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "kinship-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  /// Its path.
  package var path: String { url.path(percentEncoded: false) }

  /// The permissions of a file.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: The permissions as the bits of a mode, or `nil` if the file system has none.
  /// - Throws: The error of the file system.
  package static func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  deinit {
    do { try FileManager.default.removeItem(at: url) } catch {
      print("A temporary directory stays: \(error)")
    }
  }
}
