import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// L4 and L5: missing records are remembered, and failures leave nothing behind.
@Suite(.tags(.lawL5))
struct LoadFailureTests {
  private typealias Node = TestNode<Int>

  /// 0 leads to 1 and 2, and those to 3 and 4.
  ///
  /// Record 4 is missing.
  private let world = DirectedGraph(successors: [[1, 2], [3], [3, 4], []])

  private func verifyAtRest(_ cache: GraphCache) async throws {
    try verifyEqual(await cache.audit(), [], "the audit")
    let statistics = cache.statistics
    try verifyEqual(statistics.waiters, 0, "waiters")
    try verifyEqual(statistics.batchesInFlight, 0, "batches in flight")
    try verifyEqual(statistics.traversals, 0, "traversals")
    try verifyEqual(await cache.coldest(.max).count, cache.count, "what is not claimed")
  }

  @Test(arguments: 0..<4)
  func `a failed call fails the graph and the next try loads`(number: Int) async throws {
    let store = ScriptedStore(
      over: MemoryStore(world.records()),
      script: .plain.onCall(number, StoreBehavior(failure: ScriptedFailure(call: number))))
    let cache = try GraphCache(for: Node.self, store: store)
    if number < 3 {
      do {
        _ = try await cache.graph(of: Ref<Node>(0), .generations(3))
        Issue.record("the graph was built in spite of the failure")
      } catch KinshipError.fetchFailed(let type, let ids, let cause) {
        #expect(type == "TestNode<Int>")
        #expect(ids == store.calls[number].refs)
        #expect(cause as? ScriptedFailure == ScriptedFailure(call: number))
      }
      try await verifyAtRest(cache)
      #expect(cache.statistics.failedBatches == 1)
    }
    let graph = try await cache.graph(of: Ref<Node>(0), .generations(3))
    #expect(graph.records(of: Node.self).map(\.id) == [0, 1, 2, 3])
    #expect(graph.missing == [AnyRef(Ref<Node>(4))])
    try await verifyAtRest(cache)
  }

  @Test func `a failed batch fails all its waiters with its cause`() async throws {
    let gate = Gate()
    let failing = StoreBehavior(pause: .gate(gate), failure: ScriptedFailure(call: 0))
    let store = ScriptedStore(
      over: MemoryStore(world.records()), script: .plain.onCall(0, failing))
    let cache = try GraphCache(for: Node.self, store: store)
    let callers = (0..<5).map { _ in Task { try await cache.resolve(Ref<Node>(1)) } }
    try await store.waitForCalls(1)
    try await wait { cache.statistics.waiters >= 5 }
    gate.open()
    for caller in callers {
      let error = await #expect(throws: KinshipError.self) { try await caller.value }
      guard case .fetchFailed("TestNode<Int>", [AnyRef(Ref<Node>(1))], let cause) = error else {
        Issue.record("another error: \(String(describing: error))")
        continue
      }
      #expect(cause is ScriptedFailure)
    }
    try await verifyAtRest(cache)
    #expect(try await cache.resolve(Ref<Node>(1)).value == 1)
  }

  @Test(arguments: [StoreBehavior(duplicated: 1), StoreBehavior(unrequested: 1)])
  func `a wrong answer is an error and none of it is kept`(behavior: StoreBehavior) async throws {
    let store = ScriptedStore(
      over: MemoryStore(world.records()), script: .plain.onCall(1, behavior))
    let cache = try GraphCache(for: Node.self, store: store)
    // An earlier call names the record that the wrong answer adds.
    _ = try await cache.resolve(Ref<Node>(3))
    await cache.evict(Ref<Node>(3))
    let error = await #expect(throws: KinshipError.self) {
      try await cache.find([0, 1] as [Ref<Node>])
    }
    guard case .unexpectedRecord = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(cache.count == 0)
    try await verifyAtRest(cache)
    #expect(try await cache.find([0, 1] as [Ref<Node>]).compactMap { $0?.id } == [0, 1])
  }

  @Test func `a failure after the ids were settled affects no caller`() async throws {
    let gate = Gate()
    let failing = StoreBehavior(
      pause: .gateIgnoringCancellation(gate), failure: ScriptedFailure(call: 0))
    let store = ScriptedStore(
      over: MemoryStore(world.records()), script: .plain.onCall(0, failing))
    let cache = try GraphCache(for: Node.self, store: store)
    let caller = Task { try await cache.resolve(Ref<Node>(1)) }
    try await store.waitForCalls(1)
    try await cache.put(Node(id: 1, value: 50))
    #expect(try await caller.value.value == 50)
    gate.open()
    try await wait { cache.statistics.batchesInFlight == 0 }
    #expect(cache.peek(Ref<Node>(1))?.value == 50)
    try await verifyAtRest(cache)
  }

  // MARK: Missing records

  @Test func `a missing record is remembered until a change`() async throws {
    let memory = MemoryStore(world.records())
    let store = ScriptedStore(over: memory)
    let cache = try GraphCache(for: Node.self, store: store, capacity: 2)
    let ref = Ref<Node>(4)
    for _ in 0..<3 {
      #expect(try await cache.find(ref) == nil)
      await #expect(throws: KinshipError.self) { try await cache.resolve(ref) }
      #expect(try await cache.find([ref, 1, ref]).map { $0?.id } == [nil, 1, nil])
    }
    #expect(store.requests(for: ref) == 1)
    #expect(cache.statistics.absences == 1)

    // The record now exists, but the cache does not know until it is notified.
    memory.insert([Node(id: 4, value: 44)])
    #expect(try await cache.find(ref) == nil)
    await cache.invalidate(ref)
    #expect(try await cache.find(ref)?.value == 44)
    #expect(store.requests(for: ref) == 2)

    // A removal marks the record as missing without the store, and a put does the opposite.
    await cache.remove(ref)
    #expect(try await cache.find(ref) == nil)
    try await cache.put(Node(id: 4, value: 45))
    #expect(try await cache.find(ref)?.value == 45)
    await cache.remove(ref)
    await cache.removeAll()
    #expect(try await cache.find(ref)?.value == 44)
    #expect(store.requests(for: ref) == 3)
  }

  @Test func `a cache without a store loads nothing`() async throws {
    let cache = try GraphCache(for: Node.self)
    #expect(try await cache.find(Ref<Node>(1)) == nil)
    #expect(try await cache.find([1, 2] as [Ref<Node>]) == [nil, nil])
    let error = await #expect(throws: KinshipError.self) { try await cache.resolve(Ref<Node>(1)) }
    #expect(error?.description.hasPrefix("TestNode<Int>(1) does not exist. ") == true)
    try await cache.put(Node(id: 0, links: [1]))
    let graph = try await cache.graph(of: Ref<Node>(0), .generations(1))
    #expect(graph.root.links.missing == [1])
    try await verifyAtRest(cache)
  }
}
