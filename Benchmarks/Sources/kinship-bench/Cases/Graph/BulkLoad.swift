import Kinship

extension Case {
  static let bulkLoad = Case(
    "bulk-load", summary: "all records out of a store in memory, by their ids; ns a record",
    sizes: { effort in effort == .full ? [100_000] : [10_000] }
  ) { size, effort in
    let records = Population<Person>(count: size).records
    let memory = MemoryStore(records)
    let refs = records.map { Ref<Person>($0.id) }
    let ids = records.map { $0.id }
    let batchSize = 1_000
    let refsOfBatches = refs.batches(of: batchSize)
    let idsOfBatches = ids.batches(of: batchSize)

    func sample(
      _ elapsed: Duration, _ store: CountingStore, found: Int, held: Int, calls: Int
    ) -> Sample {
      Sample(
        elapsed, operations: size,
        checks: [
          Check("records found", found, expected: size),
          Check("records held", held, expected: size),
          Check("records fetched", store.records, expected: size),
          Check("store calls", store.calls, expected: calls),
        ])
    }
    return Comparison(
      size: size,
      systems: [
        System("Dictionary, a fetch of all") {
          let store = CountingStore(memory)
          var dictionary: [Int: Person] = [:]
          let watch = Stopwatch()
          let found = try await store.fetch(Person.self, ids: ids)
          for record in found { dictionary[record.id] = record }
          let elapsed = watch.elapsed
          return sample(elapsed, store, found: found.count, held: dictionary.count, calls: 1)
        },
        System("Kinship, find of all") {
          let store = CountingStore(memory)
          let cache = try GraphCache(for: Person.self, store: store)
          let watch = Stopwatch()
          let found = try await cache.find(refs)
          let elapsed = watch.elapsed
          return sample(elapsed, store, found: found.count, held: cache.count, calls: 1)
        },
        System("Dictionary, fetches of 1,000") {
          let store = CountingStore(memory)
          var dictionary: [Int: Person] = [:]
          var found = 0
          let watch = Stopwatch()
          for ids in idsOfBatches {
            let records = try await store.fetch(Person.self, ids: ids)
            for record in records { dictionary[record.id] = record }
            found += records.count
          }
          let elapsed = watch.elapsed
          return sample(
            elapsed, store, found: found, held: dictionary.count, calls: idsOfBatches.count)
        },
        System("Kinship, finds of 1,000") {
          let store = CountingStore(memory)
          let cache = try GraphCache(for: Person.self, store: store)
          var found = 0
          let watch = Stopwatch()
          for refs in refsOfBatches { found += try await cache.find(refs).count }
          let elapsed = watch.elapsed
          return sample(
            elapsed, store, found: found, held: cache.count, calls: refsOfBatches.count)
        },
        System("the store alone, fetches of 1,000", note: "keeps nothing") {
          let store = CountingStore(memory)
          var found = 0
          let watch = Stopwatch()
          for ids in idsOfBatches {
            found += try await store.fetch(Person.self, ids: ids).count
          }
          let elapsed = watch.elapsed
          return sample(elapsed, store, found: found, held: size, calls: idsOfBatches.count)
        },
      ])
  }
}
