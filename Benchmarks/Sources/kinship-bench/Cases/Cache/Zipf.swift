import Kinship

extension Case {
  static let zipf = Case(
    "zipf", summary: "Zipf(0.9) get-or-insert over ten times as many keys as are held",
    sizeName: "capacity", sizes: zipfSizes
  ) { size, effort in
    try await zipf(
      of: Person.self, by: GlancingReader.self, capacity: size, effort: effort,
      glanceBar: bar(at: size))
  }

  static let ownedZipf = Case(
    "zipf-owned", summary: "the same by a reader who takes each whole record over",
    sizeName: "capacity", sizes: zipfSizes
  ) { size, effort in
    try await zipf(
      of: Person.self, by: OwningReader.self, capacity: size, effort: effort,
      copyBar: bar(at: size))
  }

  static let textZipf = Case(
    "zipf-text", summary: "Zipf(0.9) get-or-insert with ids that are strings",
    sizeName: "capacity", sizes: zipfSizes
  ) { size, effort in
    try await zipf(
      of: TextPerson.self, by: GlancingReader.self, capacity: size, effort: effort)
  }

  private static let zipfSizes: @Sendable (Effort) -> [Int] = { effort in
    effort.recordCounts.filter { $0 <= 100_000 }
  }

  private static func bar(at capacity: Int) -> Bar? { capacity == 100_000 ? .ratio(1.2) : nil }

  private static func zipf<Member: PersonRecord, Using: Reader>(
    of type: Member.Type, by reader: Using.Type, capacity: Int, effort: Effort,
    copyBar: Bar? = nil, glanceBar: Bar? = nil
  ) async throws -> Comparison {
    let universe = Population<Member>(count: capacity * 10).records
    let count = effort.operations(1_000_000)
    let sampler = ZipfSampler(count: universe.count, exponent: 0.9, seed: 4)
    var generator = SplitMix64(seed: 5)
    let warmUp = Draw<Member>(
      numbers: (0..<count / 2).map { _ in sampler.draw(using: &generator) })
    let draw = Draw<Member>(numbers: (0..<count).map { _ in sampler.draw(using: &generator) })
    let expected = draw.numbers.reduce(0) { $0 &+ universe[$1].digest }

    let reference = LinkedCache<Member>(capacity: capacity)
    blackHole(reference.digest(of: warmUp, from: universe, by: reader))
    let (insertions, evictions) = (reference.insertions, reference.evictions)
    blackHole(reference.digest(of: draw, from: universe, by: reader))
    let misses = reference.insertions - insertions
    let evicted = reference.evictions - evictions

    func sample(_ elapsed: Duration, _ sum: Int, _ checks: Check...) -> Sample {
      Sample(
        elapsed, operations: count, checks: [Check("digest", sum, expected: expected)] + checks)
    }
    func measure(
      _ digest: @escaping @Sendable (isolated GraphCache, Draw<Member>) throws(KinshipError) -> Int
    ) async throws -> Sample {
      let cache = try GraphCache(for: Member.self, capacity: capacity)
      blackHole(
        try await cache.perform { cache throws(KinshipError) in try digest(cache, warmUp) })
      let before = cache.statistics
      let watch = Stopwatch()
      let sum = try await cache.perform { cache throws(KinshipError) in try digest(cache, draw) }
      let elapsed = watch.elapsed
      let after = cache.statistics
      return sample(
        elapsed, sum,
        Check("hits", after.hits - before.hits, expected: count - misses),
        Check("misses", after.misses - before.misses, expected: misses),
        Check("evictions", after.evictions.total - before.evictions.total, expected: evicted),
        Check("held", cache.count, expected: reference.count))
    }
    return Comparison(
      size: capacity,
      systems: [
        System("Dictionary, unbounded") {
          var dictionary: [Member.ID: Member] = [:]
          blackHole(dictionary.digest(of: warmUp, from: universe, by: reader))
          let watch = Stopwatch()
          let sum = dictionary.digest(of: draw, from: universe, by: reader)
          return sample(watch.elapsed, sum)
        },
        System("Kinship, cache[ref]", bar: copyBar) {
          try await measure { cache, draw throws(KinshipError) in
            try cache.digest(of: draw, from: universe, by: reader)
          }
        },
        System("Kinship, read", bar: glanceBar) {
          try await measure { cache, draw throws(KinshipError) in
            try cache.digestInPlace(of: draw, from: universe, by: reader)
          }
        },
        System("LRU by hand, behind a Mutex") {
          let cache = LinkedCache<Member>(capacity: capacity)
          blackHole(cache.digest(of: warmUp, from: universe, by: reader))
          let watch = Stopwatch()
          let sum = cache.digest(of: draw, from: universe, by: reader)
          return sample(watch.elapsed, sum, Check("held", cache.count, expected: reference.count))
        },
      ])
  }
}
