import Kinship
import KinshipPostgreSQL

extension Case {
  static let serverRows = Case(
    "rows", summary: "all rows of a table into memory; ns a row", sizeName: "rows",
    sizes: { $0 == .quick ? [10_000] : [100_000] }
  ) { size, effort in
    let database = try LineageDatabase(.distinct(count: size))
    let byHand = try await database.store()
    let byCodable = try await database.store(byHand: false)

    func sample(_ elapsed: Duration, _ records: Int) -> Sample {
      Sample(
        elapsed, operations: size, checks: [Check("records", records, expected: size)])
    }
    func fetch(_ store: PostgreSQLStore) async throws -> Sample {
      let watch = Stopwatch()
      let records = try await store.fetch(RecordQuery<Ancestor>())
      return sample(watch.elapsed, records.count)
    }
    func query(_ store: PostgreSQLStore) async throws -> Sample {
      let cache = try GraphCache(for: Ancestor.self, store: store)
      let watch = Stopwatch()
      let records = try await cache.find(RecordQuery<Ancestor>())
      let elapsed = watch.elapsed
      blackHole(records.count)
      return sample(elapsed, cache.count)
    }
    return Comparison(
      size: size,
      systems: [
        System("libpq, a result to structs") {
          let watch = Stopwatch()
          let records = try database.session.records("all")
          return sample(watch.elapsed, records.count)
        },
        System("PostgreSQLStore alone, by hand") { try await fetch(byHand) },
        System("PostgreSQLStore alone, by Codable") { try await fetch(byCodable) },
        System("Kinship, translated by hand", bar: .ratio(1.5)) { try await query(byHand) },
        System("Kinship, by Codable", bar: .ratio(3)) { try await query(byCodable) },
      ])
  }
}
