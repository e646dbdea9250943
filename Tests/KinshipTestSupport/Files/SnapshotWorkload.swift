import Foundation
package import Kinship

/// A snapshot that is saved over another one, for a process that is killed meanwhile.
package enum SnapshotWorkload {
  private static let count = 1_500

  /// A cache whose places all have one name.
  ///
  /// - Parameter name: The name.
  /// - Returns: The cache.
  /// - Throws: `KinshipError`.
  package static func cache(_ name: String) async throws -> GraphCache {
    let cache = try GraphCache(for: TestPlace.self)
    try await cache.put(contentsOf: (0..<count).map { TestPlace(id: $0, name: name) })
    return cache
  }

  /// Saves a cache.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - path: The file.
  ///   - files: The file system.
  /// - Throws: Any error of saving.
  package static func save(
    _ cache: GraphCache, to path: String, in files: any FileSystem
  ) async throws {
    _ = try await cache.snapshot(to: path, in: files, at: Date(timeIntervalSince1970: 0))
  }

  /// The common name of all places in a snapshot.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - files: The file system.
  /// - Returns: The name.
  /// - Throws: `Mismatch` if places are missing or have several names, and any error of restoring.
  package static func name(in path: String, _ files: any FileSystem) async throws -> String {
    let cache = try GraphCache(for: TestPlace.self)
    let report = try await cache.restore(from: path, in: files, at: Date(timeIntervalSince1970: 0))
    let names = Set((0..<count).compactMap { cache.peek(Ref<TestPlace>($0))?.name })
    guard report.restored == count, names.count == 1, let name = names.first else {
      throw Mismatch("\(report.restored) places with the names \(names)")
    }
    return name
  }
}
