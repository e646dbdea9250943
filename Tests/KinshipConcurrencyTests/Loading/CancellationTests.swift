import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// L3: a cancelled waiter returns at once, the others get their value, and the last one to leave
/// cancels the load.
@Suite(.dedicatedThreads, .tags(.lawL3))
struct CancellationTests {
  private typealias Node = TestNode<Int>

  private let memory = MemoryStore(
    (0..<40).map {
      Node(id: $0, value: $0, links: [Ref(($0 * 2 + 1) % 40), Ref(($0 * 2 + 2) % 40)])
    })

  private func verifyAtRest(_ cache: GraphCache) async throws {
    try verifyEqual(await cache.audit(), [], "the audit")
    let statistics = cache.statistics
    try verifyEqual(statistics.waiters, 0, "waiters")
    try verifyEqual(statistics.batchesInFlight, 0, "batches in flight")
    try verifyEqual(statistics.traversals, 0, "traversals")
    try verifyEqual(statistics.leases, 0, "leases")
    try verifyEqual(await cache.coldest(.max).count, cache.count, "what is not claimed")
  }

  @Test func `a cancelled waiter returns while the store hangs`() async throws {
    let gate = Gate()
    let store = ScriptedStore(
      over: memory, script: .always(StoreBehavior(pause: .gateIgnoringCancellation(gate))))
    let cache = try GraphCache(for: Node.self, store: store)
    let leaving = Task { try await cache.resolve(Ref<Node>(1)) }
    let staying = Task { try await cache.resolve(Ref<Node>(1)) }
    try await store.waitForCalls(1)
    try await wait { cache.statistics.waiters >= 2 }
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.value }
    #expect(store.cancellations == 0)
    #expect(cache.statistics.waiters == 1)
    gate.open()
    #expect(try await staying.value.value == 1)
    try await verifyAtRest(cache)
  }

  /// The first request creates the batch.
  ///
  /// If it is cancelled, the batch serves the others alone.
  @Test func `a cancelled caller does not disturb the others`() async throws {
    let store = ScriptedStore(over: memory)
    let cache = try GraphCache(for: Node.self, store: store)
    func ask(cancelled isCancelled: Bool, for id: Int) -> Task<Int, any Error> {
      Task {
        if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
        return try await cache.resolve(Ref<Node>(id)).value
      }
    }
    let callers = (2..<8).map { ask(cancelled: $0.isMultiple(of: 2), for: $0) }
    for (id, caller) in zip(2..<8, callers) {
      if id.isMultiple(of: 2) {
        await #expect(throws: CancellationError.self) { try await caller.value }
      } else {
        #expect(try await caller.value == id)
      }
    }
    let asked = store.calls.flatMap(\.refs)
    #expect(Set(asked).isSubset(of: [3, 5, 7].map { AnyRef(Ref<Node>($0)) }))
    try await verifyAtRest(cache)
  }

  @Test func `the last waiter to leave cancels the call`() async throws {
    let store = ScriptedStore(over: memory, script: .always(StoreBehavior(pause: .cancellation)))
    let cache = try GraphCache(for: Node.self, store: store)
    let callers = (0..<3).map { _ in Task { try await cache.resolve(Ref<Node>(1)) } }
    try await store.waitForCalls(1)
    try await wait { cache.statistics.waiters >= 3 }
    for (number, caller) in callers.enumerated() {
      #expect(store.cancellations == 0, "after \(number) have left")
      caller.cancel()
      await #expect(throws: CancellationError.self) { try await caller.value }
    }
    try await wait { store.inFlight == 0 && cache.statistics.batchesInFlight == 0 }
    #expect(store.cancellations == 1)
    #expect(cache.statistics.abandonedBatches == 1)
    try await verifyAtRest(cache)
    store.follow(.plain)
    #expect(try await cache.resolve(Ref<Node>(1)).value == 1)
  }

  /// A caller that needs a part of a batch keeps all of it running.
  @Test func `a batch runs while any of its ids is wanted`() async throws {
    let gate = Gate()
    let store = ScriptedStore(over: memory, script: .always(StoreBehavior(pause: .gate(gate))))
    let cache = try GraphCache(for: Node.self, store: store)
    let all = Task { try await cache.find((0..<10).map { Ref<Node>($0) }) }
    try await store.waitForCalls(1)
    let one = Task { try await cache.find(Ref<Node>(3)) }
    try await wait { cache.statistics.waiters >= 2 }
    all.cancel()
    await #expect(throws: CancellationError.self) { try await all.value }
    #expect(store.cancellations == 0)
    // A caller that requests an abandoned id again finds the batch still running.
    let another = Task { try await cache.find(Ref<Node>(4)) }
    try await wait { cache.statistics.waiters >= 2 }
    one.cancel()
    await #expect(throws: CancellationError.self) { try await one.value }
    #expect(store.cancellations == 0)
    gate.open()
    #expect(try await another.value?.value == 4)
    #expect(store.calls.count == 1)
    try await verifyAtRest(cache)
  }

  @Test func `a caller cancelled before it asks makes no call`() async throws {
    let store = ScriptedStore(over: memory)
    let cache = try GraphCache(for: Node.self, store: store)
    let gate = Gate()
    let caller = Task {
      await gate.waitIgnoringCancellation()
      return try await cache.resolve(Ref<Node>(1))
    }
    caller.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await caller.value }
    #expect(store.calls.isEmpty)
    // A record in memory is returned all the same.
    try await cache.put(Node(id: 2, value: 2))
    let cancelled = Task { () -> Node? in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await cache.find(Ref<Node>(2))
    }
    #expect(try await cancelled.value?.value == 2)
    try await verifyAtRest(cache)
  }

  /// Cancels a load, a graph and an expansion at every point where they wait or take turns.
  @Test(arguments: [false, true])
  func `a cancellation at any point leaves nothing behind`(heedsCancellation: Bool) throws {
    let memory = memory
    try Schedule.explore(seeds: 600) { schedule in
      var generator = SplitMix64(seed: schedule.seed)
      let store = ScriptedStore(
        over: memory, script: .random(StoreFaults(hanging: heedsCancellation ? 0.2 : 0)),
        seed: schedule.seed)
      let cache = try GraphCache(
        for: Node.self, store: store, capacity: 10,
        fetching: FetchLimits(batchSize: 3, concurrentBatches: 2), executor: schedule.executor)
      let delays = (0..<4).map { _ in Int.random(in: 0..<60, using: &generator) }
      await withTaskGroup { group in
        for (number, delay) in delays.enumerated() {
          group.addTask {
            let work = Task(executorPreference: schedule.executor) {
              try await Self.load(number, in: cache)
            }
            for _ in 0..<delay { await Task.yield() }
            work.cancel()
            _ = await work.result
          }
        }
      }
      await schedule.waitUntilIdle()
      try await verifyAtRest(cache)
      try verify(cache.count <= 10, "\(cache.count) records")
    }
  }

  private static func load(_ way: Int, in cache: GraphCache) async throws {
    switch way {
    case 0: _ = try await cache.find((0..<8).map { Ref<Node>($0) })
    case 1: _ = try await cache.resolve(Ref<Node>(3))
    case 2: _ = try await cache.graph(of: Ref<Node>(0), .generations(3))
    default:
      let graph = try await cache.graph(of: Ref<Node>(2), .generations(1))
      let lease = cache.lease(graph)
      defer { lease.end() }
      _ = try await cache.expand(graph, from: Ref<Node>(5), .generations(2))
    }
  }
}
