import Kinship
import KinshipFileStore

extension Case {
  static let oo1Insert = Case(
    "insert", summary: "100 parts with three connections each, committed, ten times; ns a part",
    sizeName: "parts", sizes: \.partCounts
  ) { size, _ in
    let stores = try PartStores(count: size)
    let objects = PartObjects(stores.list.parts)
    let database = try stores.database("raw")
    let stored = try stores.sqliteStore("kinship")
    let other = try stores.database("kinship")
    let files = try await stores.fileStore()
    let cacheInMemory = try await stores.cache()

    /// Each round continues where the previous one ended.
    func sample(
      _ insert: ([Part]) async throws -> Void, count: () async throws -> Int
    ) async throws -> Sample {
      let before = try await count()
      let total = PartStores.iterations * PartStores.inserted
      let batches = stores.list.newParts(total, from: before).batches(of: PartStores.inserted)
      let watch = Stopwatch()
      for batch in batches { try await insert(batch) }
      return Sample(
        watch.elapsed, operations: total,
        checks: [Check("parts", try await count(), expected: before + total)])
    }
    func sample(
      _ cache: GraphCache, count: () async throws -> Int
    ) async throws -> Sample {
      try await sample(
        { parts in
          try await cache.write { tx in for part in parts { try tx.insert(part) } }
        }, count: count)
    }
    return Comparison(
      size: size,
      systems: [
        System("SQLite, prepared statements") {
          try await sample({ try database.insert($0) }, count: { try database.count() })
        },
        System("Kinship, SQLiteStore") {
          try await sample(
            GraphCache(schema: stores.schema, store: stored), count: { try other.count() })
        },
        System("Kinship, FileStore") {
          try await sample(
            GraphCache(schema: stores.schema, store: files),
            count: { files.statistics.records })
        },
        System("Kinship, in memory alone", note: "Commits to no store.") {
          try await sample(cacheInMemory, count: { cacheInMemory.count })
        },
        System("class instances", note: "Commits to no store.") {
          try await sample({ objects.insert($0) }, count: { objects.byID.count })
        },
      ])
  }
}
