import Foundation
import Kinship
import KinshipSQLite

extension Case {
  static let sqliteFilter = Case(
    "sqlite-filter", summary: "of a table, the first 100 that fulfil a filter, by name; ns a row",
    sizeName: "rows", sizes: { effort in effort == .full ? [100_000, 1_000_000] : [10_000] }
  ) { size, _ in
    let file = try LineageFile(.distinct(count: size))
    let reader = try RawReader(file)
    let store = try file.handWrittenStore()
    let births = try reader.everybody().map(\.birth).sorted()
    let (lower, upper) = (births[size / 2], births[size / 2 + size / 50])
    let query = RecordQuery<Ancestor>(
      #Predicate { $0.birth >= lower && $0.birth < upper && $0.mother != nil }
    )
    .sorted(by: \.name).sorted(by: \.id).limited(to: 100)
    let expected = try reader.born(between: lower, upper, limit: 100).map(\.id)

    func sample(_ elapsed: Duration, _ records: [Ancestor]) -> Sample {
      Sample(
        elapsed, operations: size,
        checks: [
          Check("records", records.count, expected: expected.count),
          Check("first", records.first?.id ?? 0, expected: expected.first ?? 0),
          Check("last", records.last?.id ?? 0, expected: expected.last ?? 0),
        ])
    }
    return Comparison(
      size: size,
      systems: [
        System("SQLite, statement to structs") {
          let watch = Stopwatch()
          let records = try reader.born(between: lower, upper, limit: 100)
          return sample(watch.elapsed, records)
        },
        System("SQLiteStore alone", bar: .ratio(1.3)) {
          let watch = Stopwatch()
          let records = try await store.fetch(query)
          return sample(watch.elapsed, records)
        },
        System("Kinship", bar: .ratio(1.3)) {
          let cache = try GraphCache(for: Ancestor.self, store: store)
          let watch = Stopwatch()
          let records = try await cache.find(query)
          return sample(watch.elapsed, records)
        },
        System("Kinship, a closure", note: "All rows are read.") {
          let cache = try GraphCache(for: Ancestor.self, store: store)
          let filter = RecordFilter<Ancestor> {
            $0.birth >= lower && $0.birth < upper && $0.mother != nil
          }
          let all = RecordQuery(filter).sorted(by: \.name).sorted(by: \.id).limited(to: 100)
          let watch = Stopwatch()
          let records = try await cache.find(all)
          return sample(watch.elapsed, records)
        },
      ])
  }
}
