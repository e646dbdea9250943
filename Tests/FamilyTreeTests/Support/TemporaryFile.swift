import Foundation

/// A path in a directory of its own, which is removed when the closure returns.
func withTemporaryPath<T>(
  _ name: String, holding text: String? = nil, _ body: (String) async throws -> T
) async throws -> T {
  let directory = FileManager.default.temporaryDirectory.appending(
    path: "family-tree-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  let file = directory.appending(path: name)
  if let text { try Data(text.utf8).write(to: file) }
  return try await body(file.path)
}
