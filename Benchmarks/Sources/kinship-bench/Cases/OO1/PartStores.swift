import Foundation
import Kinship
import KinshipFileStore
import KinshipSQLite

/// Parts in memory and in stores, and the ids for ten iterations.
final class PartStores: Sendable {
  let list: PartList
  let schema: GraphSchema
  private let directory: ScratchDirectory

  /// The number of parts that OO1 looks up at once.
  static let lookups = 1_000
  static let hops = 7
  static let inserted = 100
  static let iterations = 10

  init(count: Int) throws {
    list = PartList(count: count)
    schema = try GraphSchema(Part.self)
    directory = try ScratchDirectory()
  }

  /// A file with this name that contains all parts.
  func database(_ name: String) throws -> PartDatabase {
    let isNew = !FileManager.default.fileExists(atPath: path(name))
    let database = try PartDatabase(path: path(name))
    if isNew { try database.insert(list.parts) }
    return database
  }

  /// A store over such a file, opened without anything in memory.
  func sqliteStore(_ name: String) throws -> SQLiteStore {
    _ = try database(name)
    return try PartTranslator.store(path: path(name))
  }

  /// A file store with all parts, which does not wait for the disk.
  func fileStore() async throws -> FileStore {
    let store = try await FileStore(
      at: directory.url.appending(path: "files"), schema: schema, durability: .system)
    _ = try await GraphCache(schema: schema, store: store).write { [list] tx in
      for part in list.parts { try tx.insert(part) }
    }
    return store
  }

  /// A cache that holds all parts.
  func cache() async throws -> GraphCache {
    let cache = GraphCache(schema: schema)
    try await cache.put(contentsOf: list.parts)
    return cache
  }

  /// Random ids: `count` for each iteration.
  func ids(_ count: Int) -> [[Int]] {
    var generator = SplitMix64(seed: 32)
    let range = 0..<list.parts.count
    return (0..<Self.iterations).map { _ in
      (0..<count).map { _ in Int.random(in: range, using: &generator) }
    }
  }

  /// The sum of the digests that traversals from these parts visit.
  func digestOfVisits(from roots: [Int]) -> Int {
    let objects = PartObjects(list.parts)
    var visits = Visits()
    for root in roots { objects.byID[root]?.visit(hops: Self.hops, &visits) }
    return visits.digest
  }

  private func path(_ name: String) -> String {
    directory.url.appending(path: name).path(percentEncoded: false)
  }
}
