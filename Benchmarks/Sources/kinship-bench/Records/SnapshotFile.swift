import Foundation
import Kinship

/// A cache with persons, and the files that it is saved to; they are removed with it.
final class SnapshotFile: Sendable {
  let cache: GraphCache
  let count: Int
  private let directory: URL

  init(_ records: [Person]) async throws {
    cache = try GraphCache(for: Person.self)
    count = records.count
    try await cache.put(contentsOf: records)
    directory = FileManager.default.temporaryDirectory.appending(
      path: "kinship-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
  }

  /// Where a coder's snapshot is.
  func url(_ coder: any RecordCoder) -> URL { directory.appending(path: coder.name) }

  /// Saves the cache.
  @discardableResult
  func save(_ coder: any RecordCoder) async throws -> SnapshotReport {
    try await cache.snapshot(to: url(coder), coder: coder)
  }

  deinit {
    do { try FileManager.default.removeItem(at: directory) } catch { print("\(error)") }
  }
}
