import Kinship

// `NSCache` has separate cases, because it takes much longer than the other systems.

extension Case {
  static let objectCacheHits = Case(
    "nscache-hits", summary: "uniform reads beside NSCache", sizes: objectCacheSizes
  ) { size, effort in
    let reads = UniformReads(effort.operations(200_000), of: size)
    let draw = reads.draw
    let objects = ObjectCache<Person>(keyCount: size)
    for (number, record) in reads.records.enumerated() { objects.insert(record, number: number) }
    let cache = try await reads.population.cache()
    return Comparison(
      size: size,
      systems: [
        System("NSCache") {
          var sum = 0
          let watch = Stopwatch()
          for number in draw.numbers {
            if let record = objects.record(number) { sum &+= record.digest }
          }
          return reads.sample(watch.elapsed, sum)
        },
        System("Kinship, one isolated call") {
          let watch = Stopwatch()
          let sum = await cache.perform { cache in
            draw.refs.reduce(0) { $0 &+ (cache[$1]?.digest ?? 0) }
          }
          return reads.sample(watch.elapsed, sum)
        },
      ])
  }

  static let objectCacheEviction = Case(
    "nscache-eviction", summary: "insert of new records at capacity beside NSCache",
    sizeName: "capacity", sizes: objectCacheSizes
  ) { size, effort in
    let count = effort.operations(100_000)
    let records = Population<Person>(count: size + count).records

    return Comparison(
      size: size,
      systems: [
        System("NSCache", note: ObjectCache.noteAtLimit(records)) {
          let cache = ObjectCache<Person>(keyCount: records.count, countLimit: size)
          for number in 0..<size { cache.insert(records[number], number: number) }
          let watch = Stopwatch()
          for number in size..<records.count { cache.insert(records[number], number: number) }
          return Sample(watch.elapsed, operations: count, checks: [])
        },
        System("Kinship, one isolated call") {
          let cache = try GraphCache(for: Person.self, capacity: size)
          try await cache.put(contentsOf: Array(records[..<size]))
          let watch = Stopwatch()
          try await cache.perform { cache throws(KinshipError) in
            for record in records[size...] { try cache.put(record) }
          }
          let elapsed = watch.elapsed
          return Sample(
            elapsed, operations: count,
            checks: [Check("evictions", cache.statistics.evictions.total, expected: count)])
        },
      ])
  }

  private static let objectCacheSizes: @Sendable (Effort) -> [Int] = { effort in
    effort.recordCounts.filter { $0 <= 100_000 }
  }
}
