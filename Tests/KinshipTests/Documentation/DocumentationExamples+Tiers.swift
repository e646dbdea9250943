import Foundation
import Kinship
import KinshipTiers
import KinshipFileStore
import KinshipTestSupport
import Testing

extension DocumentationExamples.Stored {
  @Test func `a tiered store keeps copies across launches`() async throws {
    let temporary = try TemporaryDirectory()
    let caches = temporary.url.appending(path: "caches")
    let memory = MemoryStore([Person(id: 42, name: "Albert")])
    let api = memory
    let schema = try GraphSchema(Person.self, Event.self)

    let near = try await FileStore(
      at: caches, schema: TieredStore.nearSchema(of: schema), durability: .system)
    let store = TieredStore(near: near, far: api, schema: schema)
    let cache = GraphCache(schema: schema, store: store)

    #expect(try await cache.resolve(Ref<Person>(42)).name == "Albert")
    memory.insert([Person(id: 42, name: "Bertie")])

    await store.removeCopies(of: [Ref<Person>(42)])
    await cache.invalidate(Ref<Person>(42))

    #expect(try await cache.resolve(Ref<Person>(42)).name == "Bertie")
    #expect(store.statistics.copies == 1)
    try await near.close()
    let files = try FileManager.default.contentsOfDirectory(
      at: caches, includingPropertiesForKeys: nil)
    for file in files {
      // A log must be read, and differs from what was written.
      guard file.pathExtension == "kinlog" else {
        try FileManager.default.removeItem(at: file)
        continue
      }
      var bytes = try Data(contentsOf: file)
      let name = try #require(bytes.range(of: Data("Albert".utf8)))
      bytes[name.lowerBound] ^= 0xFF
      try bytes.write(to: file)
    }

    func openCopies(at caches: URL, of schema: GraphSchema) async throws -> FileStore {
      let schema = try TieredStore.nearSchema(of: schema)
      do {
        return try await FileStore(at: caches, schema: schema, durability: .system)
      } catch KinshipError.file(.damaged), KinshipError.invalidSchema(.noMigration),
        KinshipError.file(.newerFormat)
      {
        try FileManager.default.removeItem(at: caches)
        return try await FileStore(at: caches, schema: schema, durability: .system)
      }
    }

    let again = try await openCopies(at: caches, of: schema)
    #expect(try await again.fetch(Person.self, ids: [42]).isEmpty)
    try await again.close()

    let policy = TierPolicy(
      freshness: .seconds(300), outageLimit: .seconds(7 * 86_400), count: 20_000)

    #expect(policy.bytes == 64 << 20)
  }
}
