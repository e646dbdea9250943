import Kinship
import KinshipPostgreSQL

extension Case {
  static let serverRows = Case(
    "rows", summary: "all rows of a table into memory; ns a row", sizeName: "rows",
    sizes: { _ in [100_000] }
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

  static let serverCold = cold(
    "cold", summary: "a pedigree of 1,023 persons; ns a pedigree", passes: 20, roundTrip: nil)

  static let serverFar = cold(
    "far", summary: "the same, each round trip 1 ms longer; ns a pedigree", passes: 3,
    roundTrip: .milliseconds(1))

  private static func cold(
    _ name: String, summary: String, passes: Int, roundTrip: Duration?
  ) -> Case {
    Case(name, summary: summary, sizeName: "generations", sizes: { _ in [10] }) {
      generations, effort in
      let lineage = Lineage.distinct(count: 100_000)
      let database = try LineageDatabase(lineage, roundTrip: roundTrip)
      let store = try await database.store()
      let (persons, _) = lineage.extent(generations: generations)

      func system(
        _ name: String, bar: Bar? = nil, passes: Int = passes,
        _ load: @escaping () async throws -> Int
      ) -> System {
        System(name, bar: bar) {
          var found = 0
          let watch = Stopwatch()
          for _ in 0..<passes { found += try await load() }
          return Sample(
            watch.elapsed, operations: passes,
            checks: [Check("persons", found, expected: passes * persons)])
        }
      }
      let byGeneration = system("libpq, a statement a generation") {
        try database.session.pedigree(of: lineage.root, generations: generations)
      }
      let recursive = system("libpq, one recursive statement") {
        try database.session.records(
          "pedigree",
          [LibpqSession.bytes(Int64(lineage.root)), LibpqSession.bytes(Int32(generations))]
        ).count
      }
      let byPerson = system("libpq, a statement a person", passes: max(1, passes / 5)) {
        try database.session.pedigreeByRows(of: lineage.root, generations: generations)
      }
      let kinship = system("Kinship, cold", bar: .ratio(1.2)) {
        let cache = try GraphCache(for: Ancestor.self, store: store)
        let plan = Plan<Ancestor>.following(\.father, \.mother, generations: generations - 1)
        return try await cache.graph(of: Ref(lineage.root), plan).count
      }
      // The ratios are to the better one of what is written by hand.
      let byHand = roundTrip == nil ? [byGeneration, recursive] : [recursive, byGeneration]
      return Comparison(size: generations, systems: byHand + [byPerson, kinship])
    }
  }
}
