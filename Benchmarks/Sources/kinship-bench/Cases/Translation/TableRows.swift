import Kinship
import KinshipSQLite

extension Case {
  static let rows = Case(
    "rows", summary: "all rows of a table into memory; ns a row", sizeName: "rows",
    sizes: { effort in effort == .full ? [100_000, 1_000_000] : [100_000] }
  ) { size, effort in
    let file = try LineageFile(.distinct(count: size))
    let reader = try RawReader(file)
    let byHand = try file.handWrittenStore()
    let byCodable = try file.codableStore()
    let refs = (1...size).map { Ref<Ancestor>($0) }

    let noCache = "Nothing comes into the cache."

    func sample(_ elapsed: Duration, _ records: Int, statements: Int = 1) -> Sample {
      Sample(
        elapsed, operations: size,
        checks: [
          Check("records", records, expected: size), Check("statements", statements, expected: 1),
        ])
    }
    func fetch(_ store: SQLiteStore) async throws -> Sample {
      let watch = Stopwatch()
      let records = try await store.fetch(RecordQuery<Ancestor>())
      return sample(watch.elapsed, records.count)
    }
    func query(_ store: SQLiteStore) async throws -> Sample {
      let cache = try GraphCache(for: Ancestor.self, store: store)
      let before = store.statistics.statementsExecuted
      let watch = Stopwatch()
      let records = try await cache.find(RecordQuery<Ancestor>())
      let elapsed = watch.elapsed
      blackHole(records.count)
      return sample(elapsed, cache.count, statements: store.statistics.statementsExecuted - before)
    }
    return Comparison(
      size: size,
      systems: [
        System("SQLite, statement to structs") {
          let watch = Stopwatch()
          let records = try reader.everybody()
          return sample(watch.elapsed, records.count)
        },
        System("SQLite, statement to a Dictionary") {
          var dictionary: [Int: Ancestor] = [:]
          let watch = Stopwatch()
          for record in try reader.everybody() { dictionary[record.id] = record }
          return sample(watch.elapsed, dictionary.count)
        },
        System("SQLiteStore alone, by hand", note: noCache) { try await fetch(byHand) },
        System("SQLiteStore alone, by Codable", note: noCache) { try await fetch(byCodable) },
        System("Kinship, translated by hand", bar: .ratio(1.8)) { try await query(byHand) },
        System("Kinship, by Codable", bar: .ratio(3)) { try await query(byCodable) },
        System("Kinship, asked for by ids", note: "Each row is looked up by its id.") {
          let cache = try GraphCache(for: Ancestor.self, store: byHand)
          let watch = Stopwatch()
          let records = try await cache.find(refs)
          let elapsed = watch.elapsed
          blackHole(records.count)
          return sample(elapsed, cache.count)
        },
      ])
  }
}
