import Kinship
import KinshipTestSupport
import Testing

@testable import KinshipTrials

/// Edge cases: unknown types, changed ids, limits of nothing and of everything.
struct CacheEdgeTests {
  private typealias Node = TestNode<Int>

  /// A record whose id is writable.
  private struct Renamed: GraphRecord, Equatable {
    var id: Int
    var name = ""
  }

  @Test func `an unknown type is a typed error in every call`() async throws {
    let cache = try GraphCache(for: Node.self, store: MemoryStore([TestPlace(id: 1, name: "")]))
    let place = TestPlace(id: 1, name: "A")
    let unknown = """
      The record type TestPlace is not in the schema. Add TestPlace.self to the types of the cache \
      or the store.
      """
    func message(_ body: () async throws -> Void) async -> String? {
      do {
        try await body()
        return nil
      } catch {
        return (error as? KinshipError)?.description
      }
    }
    #expect(await message { try await cache.put(place) } == unknown)
    #expect(await message { try await cache.put(contentsOf: [place]) } == unknown)
    #expect(await message { try await cache.update(place.ref, \.name, to: "") } == unknown)
    #expect(await message { try await cache.update(place.ref) { $0.name = "" } } == unknown)
    #expect(await message { _ = try await cache.find(place.ref) } == unknown)
    #expect(await message { _ = try await cache.find([place.ref]) } == unknown)
    #expect(await message { _ = try await cache.resolve(place.ref) } == unknown)
    #expect(await message { _ = try await cache.resolve(place.region) } == nil)
    #expect(await message { _ = try await cache.graph(of: place.ref) } == unknown)
    #expect(await cache[place.ref] == nil)
    #expect(await cache.records(for: [place.ref, 2]) == [nil, nil])
    #expect(cache.peek(place.ref) == nil)
    #expect(!cache.contains(place.ref))
    #expect(cache.count(of: TestPlace.self) == 0)
    #expect(await cache.remove(place.ref) == nil)
    #expect(await cache.evict(place.ref) == false)
    await cache.invalidate(place.ref)
    let lease = cache.lease([place.ref])
    #expect(await cache.audit() == [])
    lease.end()
    #expect(cache.statistics.leases == 0)
    try await cache.put(Node(id: 1))
    let graph = try await cache.graph(of: Ref<Node>(1))
    #expect(graph[place.ref].isUnloaded)
    #expect(graph.records(of: TestPlace.self).isEmpty)
    #expect(graph.nodes(of: TestPlace.self).isEmpty)
    await #expect(throws: KinshipError.self) { try await cache.expand(graph, from: place.ref) }
  }

  @Test func `an update must not change a record's id`() async throws {
    let cache = try GraphCache(for: Renamed.self)
    try await cache.put(Renamed(id: 1, name: "A"))
    let ref = Ref<Renamed>(1)
    for update in [
      { try await cache.update(ref, \.id, to: 2) },
      {
        try await cache.update(ref) {
          $0.name = "B"
          $0.id = 2
        }
      },
    ] as [@Sendable () async throws -> Bool] {
      let error = await #expect(throws: KinshipError.self) { try await update() }
      #expect(
        error?.description == """
          An update of Renamed(1) changed its id, to Renamed(2). Keep the id, or delete the record \
          and insert another.
          """
      )
    }
    #expect(cache.peek(ref) == Renamed(id: 1, name: "A"))
    #expect(cache.peek(Ref<Renamed>(2)) == nil)
    #expect(await cache.audit() == [])
    #expect(cache.statistics.replacements == 0)
    #expect(try await cache.update(ref, \.id, to: 1))
  }

  @Test func `a cache with no capacity still loads`() async throws {
    let world = DirectedGraph(successors: [[1, 2], [2], [0]])
    for (capacity, costLimit) in [(0, Int.max), (.max, 0), (0, 0)] {
      let cache = try GraphCache(
        for: Node.self, store: MemoryStore(world.records()), capacity: capacity,
        costLimit: costLimit)
      try await cache.put(Node(id: 9))
      #expect(cache.count == 0)
      #expect(try await cache.find([0, 1, 0] as [Ref<Node>]).map { $0?.id } == [0, 1, 0])
      #expect(try await cache.graph(of: Ref<Node>(0), .generations(2)).count == 3)
      #expect(cache.count == 0)
      #expect(await cache.audit() == [])
      // A leased record stays until its lease ends.
      let lease = cache.lease([Ref<Node>(1)])
      #expect(try await cache.resolve(Ref<Node>(1)).id == 1)
      #expect(cache.contains(Ref<Node>(1)))
      lease.end()
      #expect(!cache.contains(Ref<Node>(1)))
    }
  }

  /// More ids are requested at once than the cache remembers as missing.
  @Test func `a graph may miss more ids than the cache remembers`() throws {
    try Schedule.run(seed: 1) { schedule in
      let links = (1..<3_000).map { Ref<Node>($0) }
      let cache = try GraphCache(
        for: Node.self, store: MemoryStore([Node(id: 0, links: links)]), capacity: 1,
        executor: schedule.executor)
      let found = try await cache.find(links)
      try verify(found.allSatisfy { $0 == nil }, "something was found")
      let graph = try await cache.graph(of: Ref<Node>(0))
      try verifyEqual(graph.count, 1, "records of the graph")
      guard case .missing = graph[links[2_000]] else {
        throw Mismatch("it is not said to be missing")
      }
      try verifyEqual(await cache.audit(), [], "the audit")
    }
  }

  @Test func `costs have lower and upper bounds`() async throws {
    let cache = try GraphCache(for: Node.self, costLimit: 10)
    try await cache.put(Node(id: 1, cost: .min))
    #expect(cache.statistics.cost == 0)
    try await cache.put(Node(id: 2, cost: 10))
    #expect(cache.statistics.cost == 10)
    try await cache.put(Node(id: 3, cost: .max))
    #expect(cache.count == 0)
    #expect(cache.statistics.evictions.byCost == 3)
    // A cost that grows in place evicts as well.
    try await cache.put(Node(id: 1, cost: 4))
    try await cache.put(Node(id: 2, cost: 4))
    try await cache.update(Ref<Node>(2), \.cost, to: 7)
    #expect(await cache.hottest(.max) == [AnyRef(Ref<Node>(2))])
    let unlimited = try GraphCache(for: Node.self)
    for id in 0..<100 { try await unlimited.put(Node(id: id, cost: .max)) }
    #expect(unlimited.statistics.cost == 100 << 40)
    #expect(await unlimited.audit() == [])
  }

  @Test func `hottest and coldest are the two ends of the recency order`() async throws {
    let cache = try GraphCache(for: Node.self, TestPlace.self)
    for id in 0..<4 { try await cache.put(Node(id: id)) }
    try await cache.put(TestPlace(id: 0, name: ""))
    _ = await cache[Ref<Node>(1)]
    let order = [
      AnyRef(Ref<Node>(0)), AnyRef(Ref<Node>(2)), AnyRef(Ref<Node>(3)),
      AnyRef(Ref<TestPlace>(0)), AnyRef(Ref<Node>(1)),
    ]
    #expect(await cache.coldest(.max) == order)
    #expect(await cache.hottest(.max) == order.reversed())
    #expect(await cache.coldest(2) == Array(order.prefix(2)))
    #expect(await cache.hottest(2) == Array(order.reversed().prefix(2)))
    #expect(await cache.coldest(0).isEmpty)
    #expect(await cache.hottest(0).isEmpty)
  }

  @Test func `statistics count hits, misses, calls and evictions`() async throws {
    let cache = try GraphCache(
      for: Node.self, TestPlace.self, store: MemoryStore([Node(id: 1)]), capacity: 2)
    #expect(cache.statistics.hitRate == 0)
    _ = try await cache.find([1, 2] as [Ref<Node>])
    _ = await cache[Ref<Node>(1)]
    let statistics = cache.statistics
    #expect(statistics.hits == 1)
    #expect(statistics.misses == 2)
    #expect(statistics.hitRate == 1.0 / 3)
    #expect(statistics.types.map(\.name) == ["TestNode<Int>", "TestPlace"])
    #expect(
      cache.debugDescription == """
        GraphCache: 1 records (1 TestNode<Int>, 0 TestPlace); 1 hits, 2 misses (33 %); \
        1 store calls for 1 records; 0 evictions
        """)
  }

  @Test func `one call makes many reads and writes`() async throws {
    let cache = try GraphCache(for: Node.self, capacity: 1_000)
    let sum = try await cache.perform { cache in
      try cache.put(contentsOf: (0..<700).map { Node(id: $0, value: $0) })
      return (0..<700).reduce(0) { $0 + (cache[Ref<Node>($1)]?.value ?? 0) }
    }
    #expect(sum == 700 * 699 / 2)
    // Batches larger than one chunk, with gaps and repetitions.
    let ids = (0..<900).map { $0 * 7 % 800 }
    let records = await cache.records(for: ids.map { Ref<Node>($0) })
    #expect(records.map { $0?.value } == ids.map { $0 < 700 ? $0 : nil })
    let order = Array(await cache.hottest(200).compactMap { $0.as(Node.self)?.id })
    var seen: Set<Int> = []
    let expected = ids.reversed().filter { $0 < 700 && seen.insert($0).inserted }
    #expect(order == Array(expected.prefix(200)))
    let total = await cache.reduce(ids.map { Ref<Node>($0) }, into: 0) { $0 += $1.value }
    #expect(total == ids.filter { $0 < 700 }.reduce(0, +))
  }

  @Test func `a removal listener may read the cache`() async throws {
    let cache = try GraphCache(for: Node.self, capacity: 1)
    let seen = Gate()
    let subscription = cache.onRemoval { removal in
      // The change is complete: the record is gone, the new one is there.
      if cache.peek(Ref<Node>(1)) == nil, cache.peek(Ref<Node>(2)) != nil,
        removal.reason == .evicted, removal.ref == AnyRef(Ref<Node>(1)),
        (removal.record as? Node)?.value == 5
      {
        seen.open()
      }
    }
    try await cache.put(Node(id: 1, value: 5))
    try await cache.put(Node(id: 2))
    #expect(seen.isOpen)
    subscription.cancel()
    subscription.cancel()
    #expect(cache.statistics.listeners == 0)
  }

  /// A graph may grow in another cache, which numbers the types differently.
  @Test func `a graph of another cache can be expanded`() async throws {
    var generator = SplitMix64(seed: 3)
    let pedigree = Pedigree.random(generations: 4, using: &generator)
    let family = TestFamily(pedigree, using: &generator)
    let one = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: family.store())
    let other = try GraphCache(
      for: TestPlace.self, TestEvent.self, TestPerson.self, store: family.store())
    let small = try await one.graph(of: Ref<TestPerson>(0), .generations(1))
    let here = try await one.expand(small, from: Ref<TestPerson>(1), .generations(2))
    let there = try await other.expand(small, from: Ref<TestPerson>(1), .generations(2))
    #expect(there.refs == here.refs)
    #expect(there.root.father?.father?.name == here.root.father?.father?.name)
    let lease = other.lease(small)
    #expect(await other.hottest(.max).count == other.count - small.count)
    lease.end()
  }

  @Test func `a view that needs too many loads fails`() async throws {
    let store = ScriptedStore(
      over: MemoryStore(
        (0..<400).map { number in
          TestPerson(id: number, name: "\(number)", father: Ref(number + 1))
        }))
    let cache = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: store)
    @Sendable func oldest(_ person: Kinship.Node<TestPerson>) -> String {
      person.father.map(oldest) ?? person.name
    }
    await #expect(throws: KinshipError.self) {
      try await cache.find(Ref<TestPerson>(0).view(oldest))
    }
    #expect(try await cache.find(Ref<TestPerson>(200).view(oldest)) == "399")
  }
}
