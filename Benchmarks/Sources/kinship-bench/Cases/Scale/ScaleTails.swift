import Foundation
import Kinship
import KinshipFileStore

extension Case {
  static let storeCommitTail = tail(
    "store-commit", while: "while a tenth are committed to a store in files"
  ) { size in
    try await storeTail(of: size) { cache, _ in
      try await cache.write { tx in
        for id in 0..<size / 10 { try tx.update(Ref<Person>(id), \.place, to: "Windsor") }
      }
    }
  }.over(\.scaleTailCounts)

  static let storeCompactTail = tail(
    "store-compact", while: "while a store in files is compacted"
  ) { size in
    try await storeTail(of: size) { _, store in try await store.compact() }
  }.over(\.scaleTailCounts)

  /// A cache over a store with the same records, some of them in an older version.
  private static func storeTail(
    of size: Int, by work: @escaping @Sendable (GraphCache, FileStore) async throws -> Void
  ) async throws -> Interruption {
    let directory = try ScratchDirectory()
    let records = Population<Person>(count: size).records
    let store = try await FileStore(
      at: directory.url.appending(path: "store"), schema: try GraphSchema(Person.self),
      durability: .system)
    try await fill(store, records)
    try await rewrite(records.filter { $0.id.isMultiple(of: 3) }, in: store)
    let cache = try GraphCache(for: Person.self, store: store)
    try await cache.put(contentsOf: records)
    return Interruption(of: Ref<Person>(0), in: cache) {
      try await work(cache, store)
      withExtendedLifetime(directory) {}
    }
  }
}
