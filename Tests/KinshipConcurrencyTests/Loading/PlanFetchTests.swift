import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import KinshipTrials

/// Graphs from a store that fetches the records that a plan reaches along with the first ones.
@Suite(.tags(.lawG2))
struct PlanFetchTests {
  private typealias Node = TestNode<Int>

  /// A chain: 0 leads to 1, that to 2 and so on.
  private let memory = MemoryStore(
    (0..<40).map { Node(id: $0, value: $0, links: $0 == 39 ? [] : [Ref($0 + 1)]) })

  private func store(_ script: StoreScript = .plain) -> ScriptedStore {
    ScriptedStore(over: memory, script: script, followsPlans: true)
  }

  private func asked(_ store: ScriptedStore) -> [[Int]] {
    store.calls.map { $0.refs.compactMap { $0.as(Node.self)?.id } }
  }

  @Test func `a graph takes one call if the store follows plans`() async throws {
    let store = store()
    let cache = try GraphCache(for: Node.self, store: store)
    let graph = try await cache.graph(of: Ref<Node>(0), .generations(9))
    #expect(graph.records(of: Node.self).map(\.id) == Array(0..<10))
    #expect(asked(store) == [[0]])
    #expect(cache.count == 10)
    // None of the records that follow is in memory: they take one call, too.
    #expect(try await cache.graph(of: Ref<Node>(5), .generations(20)).count == 21)
    #expect(asked(store) == [[0], [10]])
    #expect(await cache.audit() == [])
  }

  /// Records sent along are of no more use than the record that they came with.
  @Test func `a wrong answer to a plan is reported in a partial graph`() async throws {
    let store = store(.plain.onCall(0, StoreBehavior(duplicated: 1)))
    let cache = try GraphCache(for: Node.self, store: store)
    try await cache.put(Node(id: 0, value: 0, links: [Ref(1)]))
    let graph = try await cache.find(Ref<Node>(0).graph(.generations(3)), .partial)
    #expect(graph.failures.keys.map { $0 } == [AnyRef(Ref<Node>(1))])
    #expect(graph.records(of: Node.self).map(\.id) == [0])
    #expect(asked(store) == [[1]])
  }

  @Test func `a refresh takes as many calls as the first load`() async throws {
    let store = store()
    let cache = try GraphCache(for: Node.self, store: store)
    _ = try await cache.graph(of: Ref<Node>(0), .generations(9))
    memory.insert([Node(id: 3, value: 99, links: [Ref(20)])])
    let graph = try await cache.refresh(Ref<Node>(0), .generations(9))
    #expect(graph.records(of: Node.self).map(\.id) == [0, 1, 2, 3] + Array(20..<26))
    #expect(cache.peek(Ref<Node>(3))?.value == 99)
    #expect(asked(store) == [[0], [0]])
    await cache.removeAll()
    #expect(try await cache.refresh(Ref<Node>(0), .generations(9)).count == 10)
    #expect(asked(store) == [[0], [0], [0]])
    #expect(await cache.audit() == [])
  }

  @Test(arguments: [false, true])
  func `a write during a refresh is not overwritten`(isOutside: Bool) async throws {
    let gate = Gate()
    let store = store(
      .plain.onCall(1, StoreBehavior(reading: .beforePause, pause: .gate(gate))))
    let cache = try GraphCache(for: Node.self, store: store)
    _ = try await cache.graph(of: Ref<Node>(0), .generations(5))
    async let graph = cache.refresh(Ref<Node>(0), .generations(5))
    try await store.waitForCalls(2)
    let changed = Node(id: 3, value: 99, links: [Ref(4)])
    memory.insert([changed])
    if isOutside {
      await cache.invalidate(Ref<Node>(3))
    } else {
      try await cache.put(changed)
    }
    gate.open()
    #expect(try await graph.records(of: Node.self).map(\.value) == [0, 1, 2, 99, 4, 5])
    #expect(cache.peek(Ref<Node>(3))?.value == 99)
    #expect(await cache.audit() == [])
  }

  @Test func `a refreshed graph equals the store's`() async throws {
    for seed in try Effort().seeds(200) {
      var generator = SplitMix64(seed: seed)
      let refs = (0..<10).map { Ref<Node>($0) }
      let memory = MemoryStore()
      func change() {
        for ref in refs where generator.chance(0.5) {
          let links = refs.shuffled(using: &generator).prefix(Int(generator.next() % 4))
          memory.insert([Node(id: ref.id, value: Int(generator.next() % 3), links: Array(links))])
        }
        _ = memory.remove(refs[Int(generator.next() % 10)])
        memory.insert([Node(id: 0, value: 0, links: [refs[Int(generator.next() % 10)]])])
      }
      change()
      let cache = try GraphCache(
        for: Node.self, store: ScriptedStore(over: memory, followsPlans: true),
        capacity: generator.chance(0.5) ? .max : 5)
      memory.insert([Node(id: 0, links: [refs[1]]), Node(id: 1)])
      _ = try await cache.graph(of: refs[0], .generations(1))
      for _ in 0..<4 {
        let plan = Plan<Node>.generations(Int(generator.next() % 5))
        _ = try await cache.graph(of: refs[0], plan)
        change()
        let refreshed = try await cache.refresh(refs[0], plan)
        let expected = try await GraphCache(for: Node.self, store: memory).graph(of: refs[0], plan)
        try verifyEqual(
          refreshed.records(of: Node.self), expected.records(of: Node.self), "the refreshed graph")
        try verifyEqual(await cache.audit(), [], "the audit")
      }
    }
  }

  /// An answer by ids names the unreadable records, and memory stays as it was.
  @Test func `a refresh fails as a load does`() async throws {
    let store = store(
      .plain.onCall(1, StoreBehavior(unreadable: [AnyRef(Ref<Node>(0))]))
        .onCall(2, StoreBehavior(unreadable: [AnyRef(Ref<Node>(2))])))
    let cache = try GraphCache(for: Node.self, store: store)
    _ = try await cache.graph(of: Ref<Node>(0), .generations(3))
    memory.insert([Node(id: 1, value: 99, links: [Ref(2)])])
    let error = await #expect(throws: KinshipError.self) {
      try await cache.refresh(Ref<Node>(0), .generations(3))
    }
    guard case .fetchFailed(_, [AnyRef(Ref<Node>(2))], _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(await cache.audit() == [])
  }

  @Test func `graphs with one plan share one call`() async throws {
    let store = store()
    let cache = try GraphCache(for: Node.self, store: store)
    let graphs = try await cache.find(([0, 20].map { Ref<Node>($0) }).graphs(.generations(4)))
    #expect(graphs.map { $0?.count } == [5, 5])
    #expect(asked(store) == [[0, 20]])
  }

  @Test func `the graphs of a query take one call if the store follows plans`() async throws {
    let store = store()
    let cache = try GraphCache(for: Node.self, store: store)
    let query = RecordQuery<Node>().sorted(by: \.id).limited(to: 3)
    #expect(try await cache.find(query.graphs(.generations(9))).map(\.count) == [10, 10, 10])
    #expect(store.calls.map(\.kind) == [.query])
    #expect(cache.count == 12)
    // A store that follows no plan is asked for each generation.
    let plain = ScriptedStore(over: memory)
    let other = try GraphCache(for: Node.self, store: plain)
    #expect(try await other.find(query.graphs(.generations(9))).map(\.count) == [10, 10, 10])
    #expect(plain.calls.map(\.kind) == [.query] + Array(repeating: .fetch, count: 9))
    #expect(await cache.audit() == [])
  }

  @Test func `a view of a query takes one call once its plan is learned`() async throws {
    let store = store()
    let cache = try GraphCache(for: Node.self, store: store)
    let query = RecordQuery<Node>().sorted(by: \.id).limited(to: 3)
    for round in 0..<3 {
      let before = store.calls.count
      let view = query.view { $0.links.first?.links.first?.value }
      #expect(try await cache.find(view) == [2, 3, 4])
      if round > 0 { #expect(store.calls.count == before + 1) }
      await cache.removeAll()
    }
    let passing = store.followedPlans
    _ = try await cache.find(query.graphs(.generations(9)), .passing)
    #expect(store.followedPlans == passing)
    #expect(await cache.audit() == [])
  }

  /// P2, Q1: neither the records of the query nor those sent along overwrite a write made
  /// meanwhile.
  @Test(arguments: [false, true])
  func `a write during a query that follows a plan is not overwritten`(
    isOutside: Bool
  ) async throws {
    let gate = Gate()
    let store = store(.plain.onCall(0, StoreBehavior(reading: .beforePause, pause: .gate(gate))))
    let cache = try GraphCache(for: Node.self, store: store)
    let query = RecordQuery<Node>().sorted(by: \.id).limited(to: 2)
    async let graphs = cache.find(query.graphs(.generations(3)))
    try await store.waitForCalls(1)
    let changed = Node(id: 3, value: 99, links: [Ref(4)])
    memory.insert([changed])
    if isOutside {
      await cache.invalidate(Ref<Node>(3))
    } else {
      try await cache.put(changed)
    }
    gate.open()
    let values = try await graphs.map { $0.records(of: Node.self).map(\.value) }
    #expect(values == [[0, 1, 2, 99], [1, 2, 99, 4]])
    #expect(cache.peek(Ref<Node>(3))?.value == 99)
    #expect(await cache.audit() == [])
  }

  /// Ids that others request at the same moment join the same call, but the records that follow
  /// them do not.
  @Test func `records along a plan are fetched only for its caller`() async throws {
    let store = store()
    let executor = FirstComeExecutor()
    let cache = try GraphCache(for: Node.self, store: store, executor: executor)
    try await withTaskExecutorPreference(executor) {
      async let graph = cache.graph(of: Ref<Node>(0), .generations(3))
      async let record = cache.resolve(Ref<Node>(20))
      let found = try await (graph.count, record.id)
      #expect(found == (4, 20))
    }
    #expect(asked(store).first?.sorted() == [0, 20])
    #expect(cache.peek(Ref<Node>(21)) == nil)
    #expect(cache.count == 5)
  }

  @Test func `no more is fetched than the plan or the cache can hold`() async throws {
    let store = store()
    let cache = try GraphCache(for: Node.self, store: store)
    let graph = try await cache.graph(
      of: Ref<Node>(0), Plan<Node>.generations(30).limited(to: 6))
    #expect(graph.count == 6)
    #expect(cache.count == 6)
    let small = try GraphCache(for: Node.self, store: store, capacity: 3)
    #expect(try await small.graph(of: Ref<Node>(0), .generations(9)).count == 10)
    #expect(small.count == 3)
    #expect(await small.audit() == [])
  }

  /// The store fails, or cannot read one record: the errors are those without a plan.
  @Test func `a plan's failures equal those of fetches by id`() async throws {
    let failing = store(.always(StoreBehavior(failure: ScriptedFailure(call: 0))))
    let cache = try GraphCache(for: Node.self, store: failing)
    await #expect(throws: KinshipError.self) {
      try await cache.graph(of: Ref<Node>(0), .generations(9))
    }
    #expect(cache.statistics.traversals + cache.statistics.waiters == 0)
    #expect(cache.count == 0)
    let partial = store(
      .always(StoreBehavior(unreadable: [AnyRef(Ref<Node>(0)), AnyRef(Ref<Node>(30))])))
    let other = try GraphCache(for: Node.self, store: partial)
    await #expect(throws: KinshipError.self) {
      try await other.graph(of: Ref<Node>(0), .generations(3))
    }
    #expect(try await other.graph(of: Ref<Node>(1), .generations(3)).count == 4)
  }

  /// P2: a record sent along is too old if anything was written since the request.
  @Test(arguments: [false, true])
  func `a write during a plan's fetch is not overwritten`(isOutside: Bool) async throws {
    let gate = Gate()
    let store = store(.plain.onCall(0, StoreBehavior(pause: .gate(gate))))
    let cache = try GraphCache(for: Node.self, store: store)
    async let graph = cache.graph(of: Ref<Node>(0), .generations(5))
    try await store.waitForCalls(1)
    let changed = Node(id: 3, value: 99, links: [Ref(4)])
    memory.insert([changed])
    if isOutside {
      await cache.invalidate(Ref<Node>(3))
    } else {
      try await cache.put(changed)
    }
    gate.open()
    #expect(try await graph.records(of: Node.self).map(\.value) == [0, 1, 2, 99, 4, 5])
    #expect(cache.peek(Ref<Node>(3))?.value == 99)
    #expect(await cache.audit() == [])
  }

  /// If most of the records sent along are in memory already, the cache asks by ids for a while.
  @Test func `records in memory are not fetched over and over`() async throws {
    let store = store()
    let cache = try GraphCache(for: Node.self, store: store)
    _ = try await cache.graph(of: Ref<Node>(1), .generations(30))
    for round in 1...10 {
      await cache.invalidate(Ref<Node>(0))
      #expect(try await cache.graph(of: Ref<Node>(0), .generations(30)).count == 31)
      #expect(store.calls.count == 1 + round)
    }
    // 1, 2, 4 and 8 times by ids alone. In between, all of the graph was fetched.
    #expect(store.followedPlans < 5)
    #expect(store.followedPlans > 1)
  }

  /// A wrong record sent along does no more harm than a wrong answer by ids.
  @Test func `a record outside the graph is an ordinary record`() async throws {
    let cache = try GraphCache(for: Node.self, store: GenerousStore(base: memory))
    let graph = try await cache.graph(of: Ref<Node>(0), .generations(2))
    #expect(graph.count == 3)
    #expect(cache.peek(Ref<Node>(30))?.value == 30)
    #expect(cache.count == 4)
    #expect(await cache.audit() == [])
  }

  private struct GenerousStore: ForwardingStore {
    let base: any BackingStore

    func fetch<R: GraphRecord>(
      _ type: R.Type, ids: [R.ID], following plan: FetchPlan
    ) async throws -> FetchedGraph<R>? {
      var graph = FetchedGraph(try await base.fetch(type, ids: ids))
      // One that is far away, one that is repeated, and one of a type that the cache does not know.
      graph.add(try await base.fetch(Node.self, ids: [30, 2]))
      graph.add(try await base.fetch(Node.self, ids: [2]))
      graph.add([TestNode<String>(id: "unknown")])
      return graph
    }
  }

  /// A fetch plan names the same relationships as the graph's plan.
  @Test func `a fetch plan names the relationships to follow`() throws {
    let schema = try GraphSchema(Author<Int>.self, Work<Int>.self)
    let plan = try FetchPlan(
      Plan<Author<Int>>.following(\.mentor, generations: 3).following(\Work<Int>.author)
        .limited(to: 7),
      of: schema)
    #expect(plan.limit == 7)
    let followed = plan.relationships(of: Author<Int>.self)
    #expect(followed.map(\.relationship.name) == ["mentor"])
    #expect(followed.map(\.generations) == [3])
    #expect(plan.relationships(of: Work<Int>.self).map(\.generations) == [.max])
    #expect(plan.relationships(of: Node.self).isEmpty)
    #expect(throws: KinshipError.self) { try FetchPlan(Plan<Node>.following(\.links), of: schema) }
  }
}
