import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// The laws of generations on families of several record types, some of them large.
@Suite(.dedicatedThreads, .tags(.lawG1, .lawG3))
struct FamilyGraphTests {
  private func family(
    generations: Int, seed: UInt64, width: Int = 300, collapse: Double = 0.1
  ) -> TestFamily {
    var generator = SplitMix64(seed: seed)
    let pedigree = Pedigree.random(
      generations: generations, width: width, collapse: collapse, unknown: 0.01, using: &generator)
    return TestFamily(pedigree, using: &generator)
  }

  private func verify(
    _ graph: Graph<TestPerson>, _ search: FamilySearch, _ family: TestFamily
  ) throws {
    try verifyEqual(graph.refs, search.order, "the records")
    for (generation, refs) in Dictionary(
      grouping: search.order, by: { search.generations[$0, default: 0] })
    {
      try verifyEqual(graph.refs(generation: generation), refs, "generation \(generation)")
    }
    let people = search.order.compactMap { $0.as(TestPerson.self) }.map { family.people[$0.id] }
    try verifyEqual(graph.records(of: TestPerson.self), people, "the people")
    let events = search.order.compactMap { $0.as(TestEvent.self) }.map { family.events[$0.id] }
    try verifyEqual(graph.records(of: TestEvent.self), events, "the events")
    let places = search.order.compactMap { $0.as(TestPlace.self) }.map { family.places[$0.id] }
    try verifyEqual(graph.records(of: TestPlace.self), places, "the places")
    for node in graph.nodes(of: TestPerson.self) {
      try verifyEqual(
        node.father?.ref, node.record.father.flatMap { graph[$0].node?.ref }, "father")
      try verifyEqual(
        node.events.map(\.ref), node.record.events.filter { graph[$0].node != nil }, "events")
    }
    for node in graph.nodes(of: TestEvent.self) {
      try verifyEqual(node.place?.ref, node.record.place.flatMap { graph[$0].node?.ref }, "place")
      try verifyEqual(node.person?.ref, graph[node.record.person].node?.ref, "person")
    }
  }

  @Test(arguments: [false, true])
  func `a plan loads the records that a breadth-first search finds`(isWarm: Bool) async throws {
    for seed in try Effort().seeds(6) {
      let family = family(generations: 7, seed: seed)
      let store = ScriptedStore(over: family.store(), script: .plain)
      let cache = try GraphCache(
        for: TestPerson.self, TestEvent.self, TestPlace.self, store: store)
      if isWarm {
        try await cache.put(contentsOf: family.people)
        try await cache.put(contentsOf: family.events)
        try await cache.put(contentsOf: family.places)
      }
      for generations in 0...4 {
        let graph = try await cache.graph(of: Ref<TestPerson>(0), .generations(generations))
        let search = FamilySearch(family, from: 0) { _ in generations }
        try verify(graph, search, family)
        let calls = store.calls.count
        #expect(isWarm ? calls == 0 : calls <= 3 * (generations + 1))
        // Records in memory need no call.
        let again = try await cache.graph(of: Ref<TestPerson>(0), .generations(generations))
        try verify(again, search, family)
        #expect(store.calls.count == calls)
      }
    }
  }

  @Test func `each chosen relationship has its own depth`() async throws {
    for seed in try Effort().seeds(6) {
      let family = family(generations: 8, seed: seed)
      let cache = try GraphCache(
        for: TestPerson.self, TestEvent.self, TestPlace.self, store: family.store())
      let plan = Plan<TestPerson>.following(\.father, generations: 5)
        .following(\TestPerson.mother, generations: 3).following(\TestPerson.mother, generations: 2)
        .following(\.events).following(\TestEvent.place).following(
          \TestPlace.region, generations: 4)
      let depths: [FamilySearch.Property: Int] = [
        .father: 5, .mother: 3, .events: .max, .place: .max, .region: 4,
      ]
      for budget in [.max, 40, 7, 1] {
        let search = FamilySearch(family, from: 0, budget: budget) { depths[$0] ?? 0 }
        let graph = try await cache.graph(
          of: Ref<TestPerson>(0), budget == .max ? plan : plan.limited(to: budget))
        try verify(graph, search, family)
      }
      let both = try await cache.graph(
        of: Ref<TestPerson>(0), .following(\.father, \.mother, generations: 6))
      try verify(
        both,
        FamilySearch(family, from: 0) { $0 == .father || $0 == .mother ? 6 : 0 }, family)
    }
  }

  /// More records than a traversal processes at once, in a cache that evicts and is read meanwhile.
  @Test func `a large graph is built in batches`() async throws {
    let family = family(generations: 12, seed: 1, width: 800, collapse: 0)
    try #require(family.people.count + family.events.count > 6 * Chunk.size)
    for capacity in [.max, 500] {
      let cache = try GraphCache(
        for: TestPerson.self, TestEvent.self, TestPlace.self, store: family.store(),
        capacity: capacity)
      let plan = Plan<TestPerson>.following(\.father, \.mother, generations: .max)
        .following(\.events)
      let search = FamilySearch(family, from: 0) {
        [.father, .mother, .events].contains($0) ? .max : 0
      }
      async let other = cache.graph(of: Ref<TestPerson>(1), .generations(3))
      async let read: Void = {
        for person in family.people { _ = try await cache.find(person.ref) }
      }()
      try verify(try await cache.graph(of: Ref<TestPerson>(0), plan), search, family)
      _ = try await (other, read)
      try verify(try await cache.graph(of: Ref<TestPerson>(0), plan), search, family)
      #expect(await cache.audit() == [])
      #expect(cache.count <= capacity)
      #expect(cache.statistics.traversals == 0)
    }
  }

  /// Leases that end on other threads evict records that the walk has reached and not yet claimed.
  @Test func `records may be evicted while a large graph is walked`() async throws {
    let people = (0..<20_000).map { id in
      TestPerson(
        id: id, name: "Person \(id)", father: id * 2 + 1 < 20_000 ? Ref(id * 2 + 1) : nil,
        mother: id * 2 + 2 < 20_000 ? Ref(id * 2 + 2) : nil)
    }
    let store = MemoryStore(people)
    for seed in try Effort().seeds(3) {
      let cache = try GraphCache(
        for: TestPerson.self, TestEvent.self, TestPlace.self, store: store, capacity: 1_000)
      let lease = cache.lease(people.map(\.ref))
      try await cache.put(contentsOf: people)
      let isWalking = Gate()
      let end = Task.detached {
        try await isWalking.wait()
        for _ in 0..<seed * 2_000 { await Task.yield() }
        lease.end()
      }
      isWalking.open()
      let graph = try await cache.graph(of: Ref<TestPerson>(0), .generations(.max))
      try verifyEqual(graph.records(of: TestPerson.self), people, "the people")
      try await end.value
      #expect(cache.count <= 1_000)
      #expect(await cache.audit() == [])
    }
  }
}
