import Kinship

extension Case {
  static let scan = Case(
    "scan", summary: "get-or-insert in turn over twice as many keys as are held: all misses",
    sizeName: "capacity"
  ) { size, effort in
    let universe = Population<Person>(count: size * 2).records
    let count = effort.operations(1_000_000)
    let draw = Draw<Person>(numbers: (0..<count).map { ($0 + size) % universe.count })
    let expected = draw.numbers.reduce(0) { $0 &+ universe[$1].digest }

    func checks(_ sum: Int, evictions: Int) -> [Check] {
      [
        Check("digest", sum, expected: expected),
        Check("evictions", evictions, expected: count),
      ]
    }
    return Comparison(
      size: size,
      systems: [
        System("Dictionary and a queue") {
          var cache = QueueCache<Person>(capacity: size)
          for record in universe[..<size] { cache.insert(record) }
          let watch = Stopwatch()
          let sum = cache.digest(of: draw, from: universe, by: GlancingReader.self)
          return Sample(
            watch.elapsed, operations: count, checks: checks(sum, evictions: cache.evictions))
        },
        System("Kinship, one isolated call") {
          let cache = try GraphCache(for: Person.self, capacity: size)
          try await cache.put(contentsOf: Array(universe[..<size]))
          let watch = Stopwatch()
          let sum = try await cache.perform { cache throws(KinshipError) in
            try cache.digest(of: draw, from: universe, by: GlancingReader.self)
          }
          let elapsed = watch.elapsed
          let statistics = cache.statistics
          return Sample(
            elapsed, operations: count,
            checks: checks(sum, evictions: statistics.evictions.total) + [
              Check("hits", statistics.hits, expected: 0)
            ])
        },
        System("LRU by hand, behind a Mutex") {
          let cache = LinkedCache<Person>(capacity: size)
          for record in universe[..<size] { cache.insert(record) }
          let watch = Stopwatch()
          let sum = cache.digest(of: draw, from: universe, by: GlancingReader.self)
          return Sample(
            watch.elapsed, operations: count, checks: checks(sum, evictions: cache.evictions))
        },
      ])
  }
}
