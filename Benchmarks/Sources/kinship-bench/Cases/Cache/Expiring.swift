import Kinship

extension Case {
  static let expiring = Case(
    "expiring", summary: "one record in a hundred is too old to stay, and is let go of"
  ) { size, effort in
    let records = Population<Person>(count: size).records
    let due = size / 100
    let lifetime = Duration.seconds(60)

    return Comparison(
      size: size,
      systems: [
        System("Dictionary, and a list in the order of ages") {
          // Here each record stays in the list until it is due, so the list needs no links.
          let times = records.indices.map { (at: $0 < due ? 0 : 30, id: records[$0].id) }
          var dictionary: [Int: Person] = [:]
          for record in records { dictionary[record.id] = record }
          var first = 0
          let watch = Stopwatch()
          while first < times.count, times[first].at + 60 < 65 {
            dictionary.removeValue(forKey: times[first].id)
            first += 1
          }
          return Sample(
            watch.elapsed, operations: due,
            checks: [Check("held", dictionary.count, expected: size - due)])
        },
        System("Kinship") {
          let clock = SteppedClock()
          let cache = try GraphCache(
            for: Person.self, store: MemoryStore(),
            freshness: [
              FreshnessRule(Person.self, Freshness(limit: lifetime, removesExpired: true))
            ],
            clock: clock)
          try await cache.put(contentsOf: Array(records[..<due]))
          clock.advance(by: .seconds(30))
          try await cache.put(contentsOf: Array(records[due...]))
          clock.advance(by: .seconds(35))
          let watch = Stopwatch()
          let removed = await cache.removeExpired()
          return Sample(
            watch.elapsed, operations: due,
            checks: [
              Check("removed", removed, expected: due),
              Check("held", cache.count, expected: size - due),
            ])
        },
      ])
  }
}
