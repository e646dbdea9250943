import Kinship

extension Case {
  static let freshReads = Case(
    "fresh", summary: "awaited reads of records in memory that say how old these may be"
  ) { size, effort in
    let reads = UniformReads(effort.operations(200_000), of: size)
    let draw = reads.draw
    let hour = Duration.seconds(3_600)

    func cache(_ freshness: Freshness?) async throws -> GraphCache {
      let cache = try GraphCache(
        for: Person.self, store: MemoryStore(reads.records),
        freshness: [FreshnessRule(Person.self, freshness)])
      try await cache.put(contentsOf: reads.records)
      return cache
    }
    func system(
      _ name: String, _ cache: GraphCache, bar: Double? = nil,
      _ read: @escaping @Sendable (GraphCache, Ref<Person>) async throws -> Person
    ) -> System {
      System(name, bar: bar.map { .ratio($0) }) {
        for ref in draw.refs.prefix(reads.warmUp) { blackHole(try await read(cache, ref).digest) }
        var sum = 0
        let watch = Stopwatch()
        for ref in draw.refs { sum &+= try await read(cache, ref).digest }
        return reads.sample(watch.elapsed, sum)
      }
    }
    let plain = try await cache(nil)
    let patient = Freshness.staleWhileRevalidating(after: hour)
    return Comparison(
      size: size,
      systems: [
        system("resolve", plain) { try await $0.resolve($1) },
        system("resolve within an hour", plain, bar: 1.1) {
          try await $0.resolve($1, .within(hour))
        },
        system("resolve, the type says so", try await cache(.within(hour)), bar: 1.1) {
          try await $0.resolve($1)
        },
        system("resolve, the type revalidates", try await cache(patient), bar: 1.2) {
          try await $0.resolve($1)
        },
      ])
  }
}
