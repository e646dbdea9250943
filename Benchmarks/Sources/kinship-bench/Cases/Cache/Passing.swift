import Kinship

extension Case {
  static let passing = Case(
    "passing", summary: "a query for ten times as much as is held, and the hits of what was held",
    sizeName: "capacity", sizes: { effort in effort == .full ? [10_000] : [1_000] }
  ) { size, effort in
    let universe = Population<Person>(count: size * 10).records
    let memory = MemoryStore(universe)
    let workingSet = universe[..<size].map { Ref<Person>($0.id) }
    let everybody = RecordQuery<Person>().sorted(by: \.id)
    let ids = universe.map { $0.id }

    func measure(_ options: ReadOptions, hits: Int) async throws -> Sample {
      let cache = try GraphCache(for: Person.self, store: memory, capacity: size)
      _ = try await cache.find(workingSet)
      let watch = Stopwatch()
      let found = try await cache.find(everybody, options)
      let elapsed = watch.elapsed
      let before = cache.statistics.hits
      _ = await cache.records(for: workingSet)
      return Sample(
        elapsed, operations: universe.count,
        checks: [
          Check("records found", found.count, expected: universe.count),
          Check("hits afterwards", cache.statistics.hits - before, expected: hits),
        ])
    }
    return Comparison(
      size: size,
      systems: [
        System("MemoryStore, a fetch of all") {
          let watch = Stopwatch()
          let found = try await memory.fetch(Person.self, ids: ids)
          return Sample(
            watch.elapsed, operations: universe.count,
            checks: [Check("records found", found.count, expected: universe.count)])
        },
        // The records loaded last stay, and none of them is of the working set.
        System("Kinship, find") { try await measure(ReadOptions(), hits: 0) },
        System("Kinship, find of what passes") {
          try await measure(.passing, hits: size)
        },
      ])
  }
}
