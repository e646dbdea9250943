import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// L1 and G2 for graphs: records that several graphs need at one time are fetched in one call.
@Suite(.tags(.lawG2))
struct GraphBatchTests {
  private typealias Node = TestNode<Int>

  /// Chains of twelve: 100 leads to 101, that to 102 and so on, as 200 does.
  private let memory = MemoryStore(
    (1...40).flatMap { chain in
      (0..<12).map { Node(id: chain * 100 + $0, value: chain, links: [Ref(chain * 100 + $0 + 1)]) }
    })

  @Test func `graphs loaded together share one call for each generation`() async throws {
    let store = ScriptedStore(over: memory)
    let executor = FirstComeExecutor()
    let cache = try GraphCache(for: Node.self, store: store, executor: executor)
    try await withTaskExecutorPreference(executor) {
      try await withThrowingTaskGroup { group in
        for chain in 1...40 {
          group.addTask { try await cache.graph(of: Ref<Node>(chain * 100), .generations(9)) }
        }
        for try await graph in group { #expect(graph.count == 10) }
      }
    }
    #expect(store.calls.map(\.refs.count) == Array(repeating: 40, count: 10))
    #expect(await cache.audit() == [])
  }

  @Test func `graphs of many roots take one call for each generation`() async throws {
    let store = ScriptedStore(over: memory)
    let cache = try GraphCache(for: Node.self, store: store, capacity: 50)
    let roots = (1...40).map { Ref<Node>($0 * 100) }
    let graphs = try await cache.find(roots.graphs(.generations(9)))
    #expect(graphs.map { $0?.root.ref } == roots)
    #expect(graphs.allSatisfy { $0?.count == 10 })
    #expect(store.calls.map(\.refs.count) == Array(repeating: 40, count: 10))
    #expect(cache.count == 50)
    #expect(await cache.audit() == [])
    #expect(try await cache.find([Ref<Node>]().graphs()).isEmpty)
  }

  @Test func `graphs of a query have its order`() async throws {
    struct Unfiltered: ForwardingStore {
      let base: any BackingStore

      func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> {
        query.support(filters: { _ in false }, starts: false)
      }
    }
    let store = ScriptedStore(over: Unfiltered(base: memory))
    let cache = try GraphCache(for: Node.self, store: store)
    let query = RecordQuery(RecordFilter<Node> { $0.id % 100 == 3 })
      .sorted(by: \.value, .descending).limited(to: 20)
    let graphs = try await cache.find(query.graphs(.generations(4)))
    #expect(graphs.map(\.root.value) == Array((21...40).reversed()))
    #expect(graphs.allSatisfy { $0.count == 5 })
    // The store does not filter: the cache filters three batches that grow.
    let (queries, fetches) = (store.calls.prefix(3), store.calls.dropFirst(3))
    #expect(queries.map(\.kind) == [.query, .query, .query])
    #expect(fetches.map(\.kind) == Array(repeating: .fetch, count: 4))
    #expect(fetches.allSatisfy { $0.refs.count == 20 })
  }

  /// A failure for one root fails all roots, and leaves nothing behind.
  @Test func `graphs of many roots fail together`() async throws {
    let script = StoreScript.plain.onCall(2, StoreBehavior(failure: ScriptedFailure(call: 2)))
    let cache = try GraphCache(for: Node.self, store: ScriptedStore(over: memory, script: script))
    let roots = (1...3).map { Ref<Node>($0 * 100) }
    await #expect(throws: KinshipError.self) {
      try await cache.find(roots.graphs(.generations(5)))
    }
    #expect(cache.statistics.traversals + cache.statistics.waiters == 0)
    #expect(await cache.coldest(.max).count == cache.count)
    #expect(try await cache.find(roots.graphs(.generations(5))).compactMap(\.self).count == 3)
  }

  /// A graph that loads call by call does not split the requests that others make together.
  @Test func `concurrent requests stay together while a graph loads`() async throws {
    let store = ScriptedStore(over: memory)
    let executor = FirstComeExecutor()
    let cache = try GraphCache(for: Node.self, store: store, executor: executor)
    try await withTaskExecutorPreference(executor) {
      async let graph = cache.graph(of: Ref<Node>(100), .generations(11))
      try await store.waitForCalls(2)
      try await withThrowingTaskGroup { group in
        for chain in 2...40 { group.addTask { try await cache.resolve(Ref<Node>(chain * 100)) } }
        try await group.waitForAll()
      }
      #expect(try await graph.count == 12)
    }
    #expect(
      store.calls.count { $0.refs.contains { $0 != AnyRef(Ref<Node>(100)) && isFirst($0) } } == 1)
  }

  private func isFirst(_ ref: AnyRef) -> Bool { (ref.id as? Int).map { $0 % 100 == 0 } ?? false }

  /// A caller that is cancelled during a graph's load leaves nothing behind, and the others get
  /// their graphs.
  @Test func `a graph is cancelled while others continue`() throws {
    let memory = memory
    try Schedule.explore(seeds: 200) { schedule in
      var generator = SplitMix64(seed: schedule.seed)
      let store = ScriptedStore(over: memory, script: .random(), seed: schedule.seed)
      let cache = try GraphCache(
        for: Node.self, store: store, capacity: 7, executor: schedule.executor)
      let delay = Int.random(in: 0..<80, using: &generator)
      try await withThrowingTaskGroup { group in
        for chain in 1...4 {
          group.addTask {
            let graph = try await cache.graph(of: Ref<Node>(chain * 100), .generations(11))
            try verifyEqual(graph.count, 12, "the records")
          }
        }
        group.addTask {
          let graph = Task(executorPreference: schedule.executor) {
            try await cache.graph(of: Ref<Node>(500), .generations(11))
          }
          for _ in 0..<delay { await Task.yield() }
          graph.cancel()
          _ = await graph.result
        }
        try await group.waitForAll()
      }
      await schedule.waitUntilIdle()
      try verifyEqual(await cache.audit(), [], "the audit")
      let statistics = cache.statistics
      try verifyEqual(statistics.waiters + statistics.batchesInFlight, 0, "what is left behind")
      try verifyEqual(statistics.traversals, 0, "traversals")
      try verifyEqual(await cache.coldest(.max).count, cache.count, "what is not claimed")
    }
  }

  /// Between finding several graphs and noting their use, a lease may end on another thread and
  /// evict a record.
  @Test func `a record that has left memory does not count as used`() async throws {
    let cache = try GraphCache(for: Node.self)
    try await cache.put(Node(id: 1))
    let (rules, schema) = (cache.defaultRules, cache.schema)
    let (graph, drops) = cache.state.withLock { state in
      (state.untouchedGraph(of: Ref<Node>(1), rules, schema), state.map.drops)
    }
    let found = try #require(graph)
    #expect(await cache.evict(Ref<Node>(1)))
    cache.state.withLock { $0.touch(found, isPassing: false, since: drops) }
    #expect(await cache.hottest(.max).isEmpty)
    #expect(await cache.audit() == [])
  }
}
