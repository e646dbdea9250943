import Foundation
import Kinship

/// A cache with persons, and the files that it is saved to.
final class SnapshotFile: Sendable {
  let cache: GraphCache
  let count: Int
  private let directory: ScratchDirectory

  init(_ records: [Person]) async throws {
    directory = try ScratchDirectory()
    cache = try GraphCache(for: Person.self)
    count = records.count
    try await cache.put(contentsOf: records)
  }

  /// The file of a coder's snapshot.
  func url(_ coder: any RecordCoder) -> URL { directory.url.appending(path: coder.name) }

  /// Saves the cache.
  @discardableResult
  func save(_ coder: any RecordCoder) async throws -> SnapshotReport {
    try await cache.snapshot(to: url(coder), coder: coder)
  }
}
