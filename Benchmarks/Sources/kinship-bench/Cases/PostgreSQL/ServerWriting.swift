import Kinship
import KinshipPostgreSQL

extension Case {
  static let serverChanges = Case(
    "changes", summary: "changed records to a server in one transaction; ns a record",
    sizeName: "changes", sizes: { $0 == .quick ? [1_000] : [10_000] }
  ) { count, effort in
    let database = try LineageDatabase(.distinct(count: count * 10))
    let ids = (1...count).map { $0 * 10 }
    let cache = try GraphCache(for: Ancestor.self, store: await database.store())
    _ = try await cache.find(ids.map { Ref<Ancestor>($0) })
    let serial = Serial()
    let passes = max(1, effort.operations(40_000) / count)

    func sample(_ write: (String) async throws -> Int) async throws -> Sample {
      var changed = 0
      let watch = Stopwatch()
      for _ in 0..<passes { changed += try await write("place \(serial.next())") }
      return Sample(
        watch.elapsed, operations: passes * count,
        checks: [Check("changes", changed, expected: passes * count)])
    }
    return Comparison(
      size: count,
      systems: [
        System("libpq, unnest") {
          try await sample { place in
            try database.session.execute("BEGIN")
            let places = Array(repeating: place, count: count)
            let changed = try database.session.write(
              "change", [LibpqSession.array(ids), LibpqSession.array(places)])
            try database.session.execute("COMMIT")
            return changed
          }
        },
        System("Kinship, a transaction", bar: .ratio(1.3)) {
          try await sample { place in
            try await cache.write { tx in
              for id in ids { try tx.update(Ref<Ancestor>(id), \.place, to: place) }
            }
            return count
          }
        },
      ])
  }

  static let serverInserts = Case(
    "inserts", summary: "new records to a server in one transaction; ns a record",
    sizeName: "inserts", sizes: { $0 == .quick ? [10_000] : [50_000] }
  ) { count, effort in
    let database = try LineageDatabase(.distinct(count: count * 2))
    let lineage = Lineage.distinct(count: count * 2).records.filter { $0.id > count }
    let store = try await database.store()

    func system(
      _ name: String, bar: Bar? = nil, _ insert: @escaping () async throws -> Void
    ) -> System {
      System(name, bar: bar) {
        try database.session.execute("DELETE FROM ancestor WHERE id > \(count)")
        try database.session.execute("VACUUM ancestor")
        let watch = Stopwatch()
        try await insert()
        let elapsed = watch.elapsed
        let held = try database.session.records("all").count
        return Sample(
          elapsed, operations: lineage.count,
          checks: [Check("records", held, expected: count + lineage.count)])
      }
    }
    return Comparison(
      size: count,
      systems: [
        system("libpq, unnest") {
          func parents(_ path: KeyPath<Ancestor, Ref<Ancestor>?>) -> [UInt8] {
            LibpqSession.array(lineage.map { $0[keyPath: path]?.id ?? 0 })
          }
          _ = try database.session.write(
            "insert",
            [
              LibpqSession.array(lineage.map(\.id)), LibpqSession.array(lineage.map(\.name)),
              LibpqSession.array(lineage.map(\.place)),
              LibpqSession.array(lineage.map(\.birth)), parents(\.father), parents(\.mother),
            ])
        },
        system("Kinship, a transaction") {
          let cache = try GraphCache(for: Ancestor.self, store: store)
          try await cache.write { tx in for record in lineage { try tx.insert(record) } }
        },
      ])
  }
}
