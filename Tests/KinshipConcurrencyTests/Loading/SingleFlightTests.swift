import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// L1: one request for a record, however many callers ask, and one batch for concurrent requests.
@Suite(.tags(.lawL1))
struct SingleFlightTests {
  private typealias Node = TestNode<Int>

  private let memory = MemoryStore((0..<1_000).map { Node(id: $0, value: $0) })

  @Test func `many requests for one record make one store call`() throws {
    let memory = memory
    try Schedule.explore(seeds: 200) { schedule in
      let store = ScriptedStore(over: memory, script: .random(), seed: schedule.seed)
      let cache = try GraphCache(for: Node.self, store: store, executor: schedule.executor)
      try await withThrowingTaskGroup { group in
        for _ in 0..<10 { group.addTask { try await cache.resolve(Ref<Node>(7)).value } }
        for try await value in group { try verifyEqual(value, 7, "the value") }
      }
      try verifyEqual(store.requests(for: Ref<Node>(7)), 1, "the requests")
      let statistics = cache.statistics
      try verifyEqual(statistics.loads, 1, "loads")
      try verifyEqual(statistics.batches, 1, "batches")
      try verifyEqual(statistics.waiters, 0, "waiters")
    }
  }

  @Test func `ids requested together are fetched together`() async throws {
    let store = ScriptedStore(over: memory)
    let executor = FirstComeExecutor()
    let cache = try GraphCache(for: Node.self, store: store, executor: executor)
    try await withTaskExecutorPreference(executor) {
      try await withThrowingTaskGroup { group in
        for id in 0..<100 { group.addTask { try await cache.resolve(Ref<Node>(id)) } }
        try await group.waitForAll()
      }
    }
    #expect(store.calls.count == 1)
    #expect(store.calls.first?.refs.count == 100)
    let more = try await cache.find((50..<200).map { Ref<Node>($0) })
    #expect(more.compactMap { $0?.value } == Array(50..<200))
    #expect(store.calls.count == 2)
    #expect(store.calls.last?.refs.count == 100)
  }

  @Test(arguments: [(1, 1), (1, 3), (7, 1), (7, 2), (100, 4), (1_000, 1)])
  func `batch size and concurrency never exceed their limits`(
    batchSize: Int, concurrentBatches: Int
  ) throws {
    let memory = memory
    try Schedule.explore(seeds: 20) { schedule in
      let store = ScriptedStore(
        over: memory, script: .random(StoreFaults(yields: 6)), seed: schedule.seed)
      let cache = try GraphCache(
        for: Node.self, store: store,
        fetching: FetchLimits(batchSize: batchSize, concurrentBatches: concurrentBatches),
        executor: schedule.executor)
      async let some = cache.find((0..<60).map { Ref<Node>($0) })
      async let others = cache.find((40..<110).map { Ref<Node>($0) })
      let found = try await (some.count, others.count)
      try verifyEqual(found.0 + found.1, 130, "what was found")
      let asked = store.calls.flatMap(\.refs)
      try verifyEqual(asked.count, 110, "the ids asked for")
      try verifyEqual(Set(asked).count, 110, "the ids asked for, each once")
      for call in store.calls {
        try verify(call.refs.count <= batchSize, "a batch of \(call.refs.count)")
      }
      try verify(
        store.mostInFlight <= concurrentBatches, "\(store.mostInFlight) calls at the same time")
      if batchSize == 1 { try verifyEqual(store.mostInFlight, concurrentBatches, "the most calls") }
    }
  }

  /// Each type gets its batches, whatever is requested of the others.
  @Test func `no type waits for all batches of another`() async throws {
    let family = MemoryStore((0..<1_000).map { Node(id: $0) })
    family.insert([TestPlace(id: 1, name: "Windsor")])
    let store = ScriptedStore(over: family)
    let executor = FirstComeExecutor()
    let cache = try GraphCache(
      for: Node.self, TestPlace.self, store: store,
      fetching: FetchLimits(batchSize: 10, concurrentBatches: 1), executor: executor)
    try await withTaskExecutorPreference(executor) {
      async let nodes = cache.find((0..<1_000).map { Ref<Node>($0) })
      async let place = cache.resolve(Ref<TestPlace>(1))
      _ = try await (nodes, place)
    }
    let turn = store.calls.firstIndex { $0.type == TestPlace.self }
    #expect(turn ?? .max <= 1)
  }
}
