import Kinship
import KinshipPostgreSQL

extension Case {
  static let serverCold = pedigrees(
    "cold", summary: "a pedigree of 1,023 persons; ns a pedigree", bar: 1.2, passes: 20)

  static let serverPersons = pedigrees(
    "by-person", summary: "the same, beside a statement a person", bar: 0.1, passes: 4,
    byPerson: true)

  static let serverFar = pedigrees(
    "far", summary: "the same, each round trip 1 ms longer", bar: 1.2, passes: 10,
    roundTrip: .milliseconds(1))

  static let serverFarPersons = pedigrees(
    "far-by-person", summary: "the same, beside a statement a person", bar: 0.1, passes: 1,
    byPerson: true, roundTrip: .milliseconds(1))

  private static func pedigrees(
    _ name: String, summary: String, bar: Double, passes: Int, byPerson: Bool = false,
    roundTrip: Duration? = nil
  ) -> Case {
    Case(name, summary: summary, sizeName: "generations", sizes: { _ in [10] }) {
      generations, effort in
      let lineage = Lineage.distinct(count: effort == .quick ? 10_000 : 100_000)
      let database = try LineageDatabase(lineage, roundTrip: roundTrip)
      let store = try await database.store()
      let (persons, _) = lineage.extent(generations: generations)

      func system(
        _ name: String, bar: Bar? = nil, _ load: @escaping () async throws -> Int
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
      let single = system("libpq, a statement a person") {
        try database.session.pedigreeByRows(of: lineage.root, generations: generations)
      }
      func cold(_ name: String, bar: Bar? = nil, over store: any BackingStore) -> System {
        system(name, bar: bar) {
          let cache = try GraphCache(for: Ancestor.self, store: store)
          let plan = Plan<Ancestor>.following(\.father, \.mother, generations: generations - 1)
          return try await cache.graph(of: Ref(lineage.root), plan).count
        }
      }
      let kinship = [
        cold("Kinship, cold", bar: .ratio(bar), over: store),
        cold("Kinship, a statement a generation", over: ByIDs(base: store)),
      ]
      // The baseline is the faster of the two handwritten systems.
      let byHand = roundTrip == nil ? [byGeneration, recursive] : [recursive, byGeneration]
      return Comparison(size: generations, systems: (byPerson ? [single] : byHand) + kinship)
    }
  }
}

/// A store that follows no plans, so that the cache fetches by ids.
private struct ByIDs: BackingStore {
  let base: PostgreSQLStore

  func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    try await base.fetch(type, ids: ids)
  }
}
