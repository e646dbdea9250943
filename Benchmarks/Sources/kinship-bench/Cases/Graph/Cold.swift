import Kinship

extension Case {
  static let cold = Case(
    "cold", summary: "the pedigree of `pedigree` out of a store in memory; ns a graph",
    sizes: { effort in effort == .full ? [100_000] : [10_000] }
  ) { size, effort in
    let pedigrees = Pedigrees(size: size)
    let memory = MemoryStore()
    memory.insert(pedigrees.population.records)
    let roots = pedigrees.roots
    let steps = pedigrees.generations - 1
    let plan = pedigrees.plan
    let persons = pedigrees.personsEach * roots.count

    func sample(_ elapsed: Duration, _ store: CountingStore, held: Int, calls: Int) -> Sample {
      Sample(
        elapsed, operations: roots.count,
        checks: [
          Check("persons", held, expected: persons),
          Check("records fetched", store.records, expected: persons),
          Check("store calls", store.calls, expected: calls),
        ])
    }
    return Comparison(
      size: size,
      systems: [
        System("Dictionary, a fetch a generation") {
          let store = CountingStore(memory)
          var dictionary: [Int: Person] = [:]
          let watch = Stopwatch()
          for root in roots {
            try await dictionary.loadAncestors(of: root.id, generations: steps, from: store)
          }
          let elapsed = watch.elapsed
          let calls = pedigrees.generations * roots.count
          return sample(elapsed, store, held: dictionary.count, calls: calls)
        },
        System("Kinship, graph") {
          let store = CountingStore(memory)
          let cache = try GraphCache(for: Person.self, store: store)
          let watch = Stopwatch()
          for root in roots { _ = try await cache.graph(of: root, plan) }
          let elapsed = watch.elapsed
          let calls = pedigrees.generations * roots.count
          return sample(elapsed, store, held: cache.count, calls: calls)
        },
        System("Dictionary, a fetch a person") {
          let store = CountingStore(memory)
          var dictionary: [Int: Person] = [:]
          let watch = Stopwatch()
          for root in roots {
            try await dictionary.loadEach(root.id, generations: steps, from: store)
          }
          let elapsed = watch.elapsed
          return sample(elapsed, store, held: dictionary.count, calls: persons)
        },
      ])
  }
}

extension [Int: Person] {
  fileprivate mutating func loadAncestors(
    of root: Int, generations: Int, from store: CountingStore
  ) async throws {
    var wanted = [root]
    for _ in 0...generations {
      let records = try await store.fetch(Person.self, ids: wanted)
      wanted.removeAll(keepingCapacity: true)
      for record in records {
        self[record.id] = record
        if let father = record.father, self[father.id] == nil { wanted.append(father.id) }
        if let mother = record.mother, self[mother.id] == nil { wanted.append(mother.id) }
      }
    }
  }

  fileprivate mutating func loadEach(
    _ id: Int, generations: Int, from store: CountingStore
  ) async throws {
    guard self[id] == nil, let record = try await store.fetch(Person.self, ids: [id]).first else {
      return
    }
    self[id] = record
    guard generations > 0 else { return }
    for parent in [record.father, record.mother] {
      guard let parent else { continue }
      try await loadEach(parent.id, generations: generations - 1, from: store)
    }
  }
}
