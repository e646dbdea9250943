import Kinship

extension Case {
  static let bulkInsert = Case(
    "bulk-insert", summary: "insert of all records into an empty table that grows"
  ) { size, _ in
    let records = Population<Person>(count: size).records
    // Small sizes are filled several times over, so that the clock has something to measure.
    let fillings = max(1, 20_000 / size)
    let count = size * fillings

    return Comparison(
      size: size,
      systems: [
        System("Dictionary") {
          var dictionaries = [[Int: Person]](repeating: [:], count: fillings)
          let watch = Stopwatch()
          for index in dictionaries.indices { dictionaries[index].insert(records) }
          let elapsed = watch.elapsed
          let held = dictionaries.reduce(0) { $0 + $1.count }
          return Sample(
            elapsed, operations: count, checks: [Check("held", held, expected: count)])
        },
        System("Kinship, put(contentsOf:)", bar: size == 100_000 ? .ratio(1.0) : nil) {
          let caches = try (0..<fillings).map { _ in try GraphCache(for: Person.self) }
          let watch = Stopwatch()
          for cache in caches { try await cache.put(contentsOf: records) }
          let elapsed = watch.elapsed
          var held = 0
          for cache in caches { held += cache.count }
          return Sample(
            elapsed, operations: count, checks: [Check("held", held, expected: count)])
        },
        System("Kinship, one put each") {
          let caches = try (0..<fillings).map { _ in try GraphCache(for: Person.self) }
          let watch = Stopwatch()
          for cache in caches {
            try await cache.perform { cache throws(KinshipError) in
              for record in records { try cache.put(record) }
            }
          }
          let elapsed = watch.elapsed
          var held = 0
          for cache in caches { held += cache.count }
          return Sample(
            elapsed, operations: count, checks: [Check("held", held, expected: count)])
        },
      ])
  }
}

extension Dictionary where Value: PersonRecord, Key == Value.ID {
  fileprivate mutating func insert(_ records: [Value]) {
    for record in records { self[record.id] = record }
  }
}
