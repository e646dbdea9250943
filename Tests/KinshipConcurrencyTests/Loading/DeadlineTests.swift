import KinshipTestSupport
import Testing

@testable import Kinship

/// A store call that misses its deadline frees its place.
struct DeadlineTests {
  private typealias Node = TestNode<Int>

  /// A cache with deadlines over a store that is as slow as a gate, and ignores cancellation.
  private struct World: Sendable {
    let clock = ManualClock()
    let gate = Gate()
    let memory = MemoryStore((0..<20).map { Node(id: $0, value: $0) })
    let store: ScriptedStore
    let cache: GraphCache
    let schedule: Schedule

    /// A slow call never returns until the gate is opened.
    init(_ schedule: Schedule, _ isSlow: @escaping @Sendable (StoreCall) -> Bool) throws {
      self.schedule = schedule
      let gate = gate
      store = ScriptedStore(
        over: memory,
        script: StoreScript { [memory] call, _ in
          if !isSlow(call) { return StoreBehavior() }
          var behavior = StoreBehavior(
            reading: call.kind == .fetch ? .beforePause : .afterPause,
            pause: .gateIgnoringCancellation(gate))
          // The store below observes cancellation, so this store makes the late changes.
          if call.kind == .apply {
            behavior.action = { for ref in call.refs { Self.change(ref, in: memory) } }
          }
          return behavior
        })
      cache = try GraphCache(
        for: Node.self, store: store,
        fetching: FetchLimits(batchSize: 1, deadline: .seconds(30)), commitDeadline: .seconds(60),
        executor: schedule.executor, clock: clock)
    }

    private static func change(_ ref: AnyRef, in memory: MemoryStore) {
      if let ref = ref.as(Node.self) { memory.insert([Node(id: ref.id, value: 50)]) }
    }

    func start<Value: Sendable>(
      _ body: @escaping @Sendable (GraphCache) async throws -> Value
    ) -> Task<Value, any Error> {
      Task(executorPreference: schedule.executor) { [cache] in try await body(cache) }
    }

    func verifyAtRest() async throws {
      gate.open()
      await schedule.waitUntilIdle()
      try verifyEqual(clock.sleeperCount, 0, "alarms")
      try verifyEqual(cache.statistics.waiters, 0, "waiters")
      try verifyEqual(cache.statistics.batchesInFlight, 0, "batches in flight")
      try verify(cache.state.withLock { $0.waits.isEmpty }, "somebody is noted to wait")
      try verifyEqual(await cache.audit(), [], "the audit")
    }
  }

  private static func deadline<Value>(_ task: Task<Value, any Error>) async throws -> CacheCall {
    do {
      _ = try await task.value
    } catch KinshipError.fetchFailed(_, _, KinshipError.deadlineExceeded(let call, .seconds(30))) {
      return call
    } catch KinshipError.deadlineExceeded(let call, let deadline) {
      let isCommit = if case .apply = call { true } else { false }
      try verifyEqual(deadline, .seconds(isCommit ? 60 : 30), "the deadline")
      return call
    }
    throw Mismatch("it was done in time")
  }

  /// Four fetches that never return, with or without waiters.
  @Test(arguments: [false, true])
  func `a fetch that never returns frees its place`(areCancelled: Bool) throws {
    try Schedule.explore(seeds: 100) { schedule in
      let world = try World(schedule) { call in
        call.refs.contains { ($0.as(Node.self)?.id ?? 0) < 4 }
      }
      let slow = (0..<4).map { id in world.start { try await $0.resolve(Ref<Node>(id)).value } }
      try await world.store.waitForCalls(4)
      if areCancelled {
        for task in slow {
          task.cancel()
          await #expect(throws: CancellationError.self) { try await task.value }
        }
      }
      let quick = world.start { try await $0.resolve(Ref<Node>(9)).value }
      await schedule.waitUntilIdle()
      try verifyEqual(world.store.calls.count, 4, "calls before the deadline")
      world.clock.advance(by: .seconds(29))
      await schedule.waitUntilIdle()
      try verifyEqual(world.store.calls.count, 4, "calls before the deadline")
      world.clock.advance(by: .seconds(1))
      try verifyEqual(try await quick.value, 9, "what had no place")
      if !areCancelled {
        for (id, task) in slow.enumerated() {
          try verifyEqual(
            try await Self.deadline(task), .fetch([AnyRef(Ref<Node>(id))]), "what took too long")
        }
      }
      try verifyEqual(world.store.cancellations, 4, "calls that were cancelled")
      // A late answer is discarded.
      world.memory.insert([Node(id: 0, value: 100)])
      world.gate.open()
      await schedule.waitUntilIdle()
      try verifyEqual(world.cache.count, 1, "records in memory")
      try verifyEqual(try await world.cache.resolve(Ref<Node>(0)).value, 100, "the newest value")
      try await world.verifyAtRest()
    }
  }

  @Test func `a query that never returns ends at its deadline or cancellation`() throws {
    try Schedule.explore(seeds: 50) { schedule in
      let world = try World(schedule) { $0.kind == .query || $0.kind == .referrers }
      let query = RecordQuery<Node>().sorted(by: \.id)
      let late = world.start { try await $0.find(query).count }
      let cancelled = world.start { try await $0.find(query).count }
      let deletion = world.start { try await $0.write { tx in try tx.delete(Ref<Node>(1)) } }
      try await world.store.waitForCalls(3)
      await schedule.waitUntilIdle()
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      world.clock.advance(by: .seconds(30))
      try verifyEqual(try await Self.deadline(late), .query(type: Node.recordName), "the query")
      guard case .referrers = try await Self.deadline(deletion) else {
        throw Mismatch("not the referrers took too long")
      }
      try await world.verifyAtRest()
      try verifyEqual(try await world.cache.find(query).count, 20, "the answer")
    }
  }

  /// The outcome is unknown: once the store's call has ended, memory asks again.
  @Test(arguments: [false, true])
  func `records of a commit that was too slow are read again`(isOptimistic: Bool) throws {
    try Schedule.explore(seeds: 100) { schedule in
      let world = try World(schedule) { $0.kind == .apply && $0.number < 2 }
      let ref = Ref<Node>(1)
      _ = try await world.cache.resolve(ref)
      let writing = world.start { cache in
        if isOptimistic {
          _ = try await cache.writeOptimistically { tx in tx[ref]?.value = 50 }.outcome()
        } else {
          _ = try await cache.write { tx in tx[ref]?.value = 50 }
        }
      }
      try await world.store.waitForCalls(2)
      await schedule.waitUntilIdle()
      world.clock.advance(by: .seconds(60))
      try verifyEqual(try await Self.deadline(writing), .apply([AnyRef(ref)]), "the commit")
      // Other tasks can write meanwhile.
      try await world.cache.write { tx in try tx.update(Ref<Node>(2), \.value, to: 20) }
      world.gate.open()
      await schedule.waitUntilIdle()
      try verifyEqual(try await world.cache.resolve(ref).value, 50, "what was made after all")
      try verifyEqual(try await world.cache.resolve(Ref<Node>(2)).value, 20, "another write")
      try await world.verifyAtRest()
    }
  }

  @Test func `a call that ends in time is not affected by deadlines`() throws {
    try Schedule.explore(seeds: 50) { schedule in
      let world = try World(schedule) { _ in false }
      for id in 0..<5 {
        try verifyEqual(try await world.cache.resolve(Ref<Node>(id)).value, id, "the value")
        try await world.cache.write { tx in try tx.update(Ref<Node>(id), \.value, to: -id) }
        world.clock.advance(by: .seconds(100))
      }
      try verifyEqual(try await world.cache.find(RecordQuery<Node>()).count, 20, "the answer")
      try await world.verifyAtRest()
    }
  }
}
