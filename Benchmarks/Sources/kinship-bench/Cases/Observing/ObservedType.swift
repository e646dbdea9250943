import Kinship

extension Case {
  static let observedType = Case(
    "observed-type", summary: "the first element of all records of a type; ns a record",
    sizes: { effort in effort == .full ? [100_000, 1_000_000] : [1_000, 10_000] }
  ) { size, _ in
    let population = Population<Person>(count: size)
    let cache = try await population.cache()
    return Comparison(
      size: size,
      systems: [
        System("Dictionary of them, and an array") {
          let watch = Stopwatch()
          let byID = Dictionary(uniqueKeysWithValues: population.records.lazy.map { ($0.id, $0) })
          let list = population.records.map(\.self)
          return Sample(
            watch.elapsed, operations: size,
            checks: [Check("records", byID.count + list.count, expected: 2 * size)])
        },
        System("Kinship", bar: .value(500)) {
          let watch = Stopwatch()
          var changes = cache.observe(Person.self).makeAsyncIterator()
          let first = try await changes.next()
          let elapsed = watch.elapsed
          let count = (first?.value.count ?? 0) + (first?.diff.inserted.count ?? 0)
          return Sample(
            elapsed, operations: size, checks: [Check("records", count, expected: 2 * size)])
        },
      ])
  }

  static let observedPuts = Case(
    "observed-puts", summary: "a tenth more records, until who observes the type is told; ns each",
    sizes: { effort in effort == .full ? [100_000, 1_000_000] : [1_000, 10_000] }
  ) { size, _ in
    let records = Population<Person>(count: size + size / 10).records
    let (old, new) = (Array(records[..<size]), Array(records[size...]))
    return Comparison(
      size: size,
      systems: [
        System("nobody observes") {
          let cache = try GraphCache(for: Person.self)
          try await cache.put(contentsOf: old)
          let watch = Stopwatch()
          try await cache.put(contentsOf: new)
          return Sample(watch.elapsed, operations: new.count, checks: [])
        },
        System("an observer, until it is told") {
          let cache = try GraphCache(for: Person.self)
          try await cache.put(contentsOf: old)
          var changes = cache.observe(Person.self).makeAsyncIterator()
          _ = try await changes.next()
          let watch = Stopwatch()
          try await cache.put(contentsOf: new)
          let change = try await changes.next()
          return Sample(
            watch.elapsed, operations: new.count,
            checks: [
              Check("records", change?.diff.inserted.count ?? 0, expected: new.count),
              Check("all records", change?.value.count ?? 0, expected: records.count),
            ])
        },
      ])
  }
}
