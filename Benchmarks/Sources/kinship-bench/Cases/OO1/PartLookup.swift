import Kinship
import KinshipFileStore

extension Case {
  static let oo1Lookup = Case(
    "lookup", summary: "1,000 parts by random ids, ten times; ns a part", sizeName: "parts",
    sizes: \.partCounts
  ) { size, _ in
    let stores = try PartStores(count: size)
    let ids = stores.ids(PartStores.lookups)
    let refs = ids.map { $0.map { Ref<Part>($0) } }
    let expected = digest(of: ids.joined(), in: stores)
    let objects = PartObjects(stores.list.parts)
    let cache = try await stores.cache()
    let database = try stores.database("raw")

    func sample(_ digest: () async throws -> Int) async throws -> Sample {
      let watch = Stopwatch()
      let sum = try await digest()
      return Sample(
        watch.elapsed, operations: PartStores.iterations * PartStores.lookups,
        checks: [Check("digest", sum, expected: expected)])
    }
    return Comparison(
      size: size,
      systems: [
        System("class instances in a Dictionary") {
          try await sample {
            ids.reduce(0) { $1.reduce($0) { $0 &+ (objects.byID[$1]?.digest ?? 0) } }
          }
        },
        System("Kinship, reduce") {
          try await sample {
            var sum = 0
            for refs in refs { sum = await cache.reduce(refs, into: sum) { $0 &+= $1.digest } }
            return sum
          }
        },
        System("Kinship, records(for:)") {
          try await sample {
            var sum = 0
            for refs in refs {
              for case let part? in await cache.records(for: refs) { sum &+= part.digest }
            }
            return sum
          }
        },
        System("SQLite, two statements each") {
          try await sample {
            try ids.reduce(0) { try $1.reduce($0) { $0 &+ (try database.part($1)?.digest ?? 0) } }
          }
        },
      ])
  }

  static let oo1LookupCold = Case(
    "lookup-cold", summary: "the first 1,000 of them, with nothing in memory; ns a part",
    sizeName: "parts", sizes: \.partCounts
  ) { size, _ in
    let stores = try PartStores(count: size)
    let ids = stores.ids(PartStores.lookups)[0]
    let refs = ids.map { Ref<Part>($0) }
    let expected = digest(of: ids, in: stores)
    let files = try await stores.fileStore()

    func sample(_ elapsed: Duration, _ sum: Int) -> Sample {
      Sample(
        elapsed, operations: PartStores.lookups,
        checks: [Check("digest", sum, expected: expected)])
    }
    func sample(_ store: any BackingStore) async throws -> Sample {
      let cache = GraphCache(schema: stores.schema, store: store)
      let watch = Stopwatch()
      let sum = try await cache.find(refs).reduce(0) { $0 &+ ($1?.digest ?? 0) }
      return sample(watch.elapsed, sum)
    }
    return Comparison(
      size: size,
      systems: [
        System("SQLite, two statements each") {
          let database = try stores.database("raw")
          let watch = Stopwatch()
          let sum = try ids.reduce(0) { $0 &+ (try database.part($1)?.digest ?? 0) }
          return sample(watch.elapsed, sum)
        },
        System("Kinship, SQLiteStore") { try await sample(stores.sqliteStore("raw")) },
        System("Kinship, FileStore") { try await sample(files) },
      ])
  }

  private static func digest(of ids: some Sequence<Int>, in stores: PartStores) -> Int {
    ids.reduce(0) { $0 &+ stores.list.parts[$1].digest }
  }
}
