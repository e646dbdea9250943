import Foundation

/// A directory that is removed with all it holds when it is released.
final class TemporaryDirectory: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "kinship-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  var path: String { url.path(percentEncoded: false) }

  deinit {
    do { try FileManager.default.removeItem(at: url) } catch {
      print("A temporary directory stays: \(error)")
    }
  }
}
