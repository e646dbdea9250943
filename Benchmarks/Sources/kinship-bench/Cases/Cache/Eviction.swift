import Kinship

extension Case {
  static let eviction = Case(
    "eviction", summary: "insert of new records at capacity: each evicts one",
    sizeName: "capacity"
  ) { size, effort in
    let count = effort.operations(500_000)
    let records = Population<Person>(count: size + count).records

    return Comparison(
      size: size,
      systems: [
        System("Dictionary, insert and remove") {
          var dictionary: [Int: Person] = [:]
          for record in records[..<size] { dictionary[record.id] = record }
          let watch = Stopwatch()
          for index in size..<records.count {
            let record = records[index]
            dictionary[record.id] = record
            dictionary.removeValue(forKey: records[index - size].id)
          }
          let elapsed = watch.elapsed
          return Sample(
            elapsed, operations: count,
            checks: [Check("held", dictionary.count, expected: size)])
        },
        System("Kinship, one isolated call", bar: size == 100_000 ? .ratio(0.8) : nil) {
          let cache = try GraphCache(for: Person.self, capacity: size)
          try await cache.put(contentsOf: Array(records[..<size]))
          let watch = Stopwatch()
          try await cache.perform { cache throws(KinshipError) in
            for record in records[size...] { try cache.put(record) }
          }
          let elapsed = watch.elapsed
          return Sample(
            elapsed, operations: count,
            checks: [
              Check("held", cache.count, expected: size),
              Check("evictions", cache.statistics.evictions.total, expected: count),
            ])
        },
        System("LRU by hand, behind a Mutex") {
          let cache = LinkedCache<Person>(capacity: size)
          for record in records[..<size] { cache.insert(record) }
          let watch = Stopwatch()
          for record in records[size...] { cache.insert(record) }
          let elapsed = watch.elapsed
          return Sample(
            elapsed, operations: count,
            checks: [
              Check("held", cache.count, expected: size),
              Check("evictions", cache.evictions, expected: count),
            ])
        },
      ])
  }
}
