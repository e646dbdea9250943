import KinshipTestSupport
import Testing

@testable import Kinship

/// A store that calls the cache: a call that would wait for itself is rejected, and all others
/// work.
struct SelfWaitTests {
  private typealias Node = TestNode<Int>
  private typealias Cache = GraphCache

  /// The store's own action within a call.
  private typealias Action = @Sendable (GraphCache, StoreCall) async throws -> Void

  /// A cache over a store that calls it.
  private struct World: Sendable {
    let memory = MemoryStore((0..<20).map { Node(id: $0, value: $0) })
    let store: ScriptedStore
    let cache: GraphCache
    let schedule: Schedule

    init(_ schedule: Schedule, places: Int = 4, _ action: @escaping Action) throws {
      self.schedule = schedule
      store = ScriptedStore(over: memory, seed: schedule.seed)
      cache = try GraphCache(
        for: Node.self, store: store,
        fetching: FetchLimits(batchSize: 1, concurrentBatches: places), executor: schedule.executor)
      store.follow(
        StoreScript { [cache] call, generator in
          StoreBehavior(
            reading: .afterPause, pause: .yields(Int.random(in: 0..<4, using: &generator)),
            action: { try await action(cache, call) })
        })
    }

    /// Nothing is left behind, and a failed call succeeds once the store makes no calls any longer.
    func verifyAtRest() async throws {
      store.follow(.plain)
      await schedule.waitUntilIdle()
      try verifyEqual(cache.statistics.waiters, 0, "waiters")
      try verifyEqual(cache.statistics.batchesInFlight, 0, "batches in flight")
      try verify(cache.state.withLock { $0.waits.isEmpty }, "somebody is noted to wait")
      try verifyEqual(cache.turns.count, 0, "places in the line")
      try verifyEqual(await cache.audit(), [], "the audit")
      for id in 0..<20 { _ = try await cache.resolve(Ref<Node>(id)) }
      try await cache.write { tx in try tx.update(Ref<Node>(0), \.value, to: 100) }
      try verifyEqual(cache.peek(Ref<Node>(0))?.value, 100, "what was written")
    }
  }

  /// The call that would wait for itself, and the call around it.
  private struct Cycle: Equatable {
    let call: CacheCall
    let outer: CacheCall
  }

  private static func cycle(_ body: () async throws -> Void) async throws -> Cycle? {
    do {
      try await body()
      return nil
    } catch {
      return try cycle(of: error)
    }
  }

  private static func cycle(of error: any Error) throws -> Cycle {
    switch error {
    case KinshipError.misuse(.waitsForItself(let call, let outer)): Cycle(call: call, outer: outer)
    case KinshipError.fetchFailed(_, _, let cause), KinshipError.commitFailed(let cause):
      try cycle(of: cause)
    default: throw error
    }
  }

  private static func ref(_ id: Int) -> AnyRef { AnyRef(Ref<Node>(id)) }

  private static func id(_ call: StoreCall) -> Int {
    call.refs.first?.as(Node.self)?.id ?? -1
  }

  private static func explore(
    places: Int = 4, _ action: @escaping Action,
    _ body: @escaping @Sendable (World) async throws -> Void
  ) throws {
    try Schedule.explore(seeds: 60) { schedule in
      let world = try World(schedule, places: places, action)
      try await body(world)
      try await world.verifyAtRest()
    }
  }

  // MARK: Cycles

  @Test func `a fetch of an id must not resolve it`() throws {
    try Self.explore { cache, _ in
      _ = try await cache.resolve(Ref<Node>(1))
    } _: { world in
      let cycle = try await Self.cycle { _ = try await world.cache.resolve(Ref<Node>(1)) }
      try verifyEqual(
        cycle, Cycle(call: .load([Self.ref(1)]), outer: .fetch([Self.ref(1)])), "the cycle")
    }
  }

  @Test func `a fetch of an id must not load a graph that leads to it`() throws {
    try Self.explore { cache, call in
      if Self.id(call) == 1 { _ = try await cache.graph(of: Ref<Node>(3), .generations(3)) }
    } _: { world in
      world.memory.insert([Node(id: 3, links: [4]), Node(id: 4, links: [1])])
      let cycle = try await Self.cycle { _ = try await world.cache.resolve(Ref<Node>(1)) }
      try verifyEqual(
        cycle, Cycle(call: .load([Self.ref(1)]), outer: .fetch([Self.ref(1)])), "the cycle")
    }
  }

  @Test func `two fetches must not wait for each other`() throws {
    try Self.explore { cache, call in
      switch Self.id(call) {
      case 1: _ = try await cache.resolve(Ref<Node>(2))
      case 2: _ = try await cache.resolve(Ref<Node>(1))
      default: break
      }
    } _: { world in
      async let one = Self.cycle { _ = try await world.cache.resolve(Ref<Node>(1)) }
      async let two = Self.cycle { _ = try await world.cache.resolve(Ref<Node>(2)) }
      // The call that closes the cycle fails, and the other one with it.
      let (first, second) = try await (one, two)
      try verify(first != nil && second != nil, "no cycle was found")
    }
  }

  /// Each fetch waits for one more: the last finds no place that can become free.
  @Test(arguments: 1...4)
  func `nested fetches must not use up all places`(places: Int) throws {
    let action: Action = { cache, call in
      let id = Self.id(call)
      if id < 10 { _ = try await cache.resolve(Ref<Node>(id + 1)) }
    }
    try Self.explore(places: places, action) { world in
      let first = 11 - places
      let value = try await world.cache.resolve(Ref<Node>(first)).value
      try verifyEqual(value, first, "what there is room for")
    }
    try Self.explore(places: places, action) { world in
      let first = 10 - places
      let cycle = try await Self.cycle { _ = try await world.cache.resolve(Ref<Node>(first)) }
      try verifyEqual(
        cycle, Cycle(call: .load([Self.ref(10)]), outer: .fetch([Self.ref(9)])), "the cycle")
    }
  }

  @Test func `a store's commit must not wait for a transaction within it`() throws {
    try Self.explore { cache, call in
      guard call.kind == .apply else { return }
      try await cache.write { tx in try tx.insert(Node(id: 50)) }
    } _: { world in
      let cycle = try await Self.cycle {
        try await world.cache.write { tx in try tx.insert(Node(id: 40)) }
      }
      try verifyEqual(cycle, Cycle(call: .write, outer: .apply([Self.ref(40)])), "the cycle")
      try verifyEqual(world.cache.peek(Ref<Node>(40)), nil, "what was not made")
    }
  }

  @Test func `a store's commit must not wait for an undo stack within it`() throws {
    let stack = Lock<UndoStack?>(nil)
    try Self.explore { _, call in
      guard call.kind == .apply, let stack = stack.withLock({ $0 }) else { return }
      try await stack.write { tx in try tx.insert(Node(id: 50)) }
    } _: { world in
      let undoStack = UndoStack(world.cache)
      stack.withLock { $0 = undoStack }
      let cycle = try await Self.cycle {
        try await undoStack.write { tx in try tx.insert(Node(id: 40)) }
      }
      stack.withLock { $0 = nil }
      try verifyEqual(cycle, Cycle(call: .write, outer: .apply([Self.ref(40)])), "the cycle")
      try await undoStack.write { tx in try tx.insert(Node(id: 40)) }
      try await undoStack.undo()
    }
  }

  @Test func `a commit must not read the records that it changes`() throws {
    try Self.explore { cache, call in
      guard call.kind == .apply else { return }
      _ = try await cache.resolve(Ref<Node>(3))
    } _: { world in
      let cycle = try await Self.cycle {
        try await world.cache.write { tx in try tx.update(Ref<Node>(3), \.value, to: 30) }
      }
      try verifyEqual(
        cycle, Cycle(call: .load([Self.ref(3)]), outer: .apply([Self.ref(3)])), "the cycle")
    }
  }

  @Test(arguments: [false, true])
  func `a fetch of an id must not write it`(blindly: Bool) throws {
    try Self.explore { cache, call in
      guard call.kind == .fetch else { return }
      try await cache.write { tx in
        if blindly {
          try tx.update(Ref<Node>(1), \.value, to: 10)
        } else {
          tx[Ref<Node>(1)]?.value += 1
        }
      }
    } _: { world in
      let cycle = try await Self.cycle { _ = try await world.cache.resolve(Ref<Node>(1)) }
      try verifyEqual(
        cycle,
        Cycle(
          call: blindly ? .apply([Self.ref(1)]) : .load([Self.ref(1)]), outer: .fetch([Self.ref(1)])
        ),
        "the cycle")
    }
  }

  @Test func `a fetch of an id must not write it optimistically`() throws {
    try Self.explore { cache, call in
      guard call.kind == .fetch else { return }
      try await cache.writeOptimistically { tx in tx[Ref<Node>(1)]?.value += 1 }
    } _: { world in
      let cycle = try await Self.cycle { _ = try await world.cache.resolve(Ref<Node>(1)) }
      try verifyEqual(
        cycle, Cycle(call: .load([Self.ref(1)]), outer: .fetch([Self.ref(1)])), "the cycle")
    }
  }

  /// The transaction has the turn and waits for the fetch, which waits for the turn.
  @Test(arguments: [false, true])
  func `a fetch must not take the turn of a transaction that waits for it`(isLater: Bool) throws {
    try Self.explore { cache, call in
      guard Self.id(call) == 1, call.kind == .fetch else { return }
      try await cache.write { tx in try tx.insert(Node(id: 50)) }
    } _: { world in
      // The call that closes the cycle fails: the fetch, and the transaction with it, or the
      // transaction alone.
      let reading = Task(executorPreference: world.schedule.executor) {
        if isLater { _ = try? await world.cache.resolve(Ref<Node>(1)) }
      }
      _ = try await Self.cycle {
        try await world.cache.write { tx in tx[Ref<Node>(1)]?.value += 1 }
      }
      await reading.value
    }
  }

  @Test func `a commit must not await a write that comes after it`() throws {
    try Self.explore { cache, call in
      guard Self.id(call) == 40 else { return }
      let pending = try await cache.writeOptimistically { tx in try tx.insert(Node(id: 50)) }
      try await pending.outcome()
    } _: { world in
      let cycle = try await Self.cycle {
        try await world.cache.write { tx in try tx.insert(Node(id: 40)) }
      }
      try verifyEqual(
        cycle, Cycle(call: .pendingWrite, outer: .apply([Self.ref(40)])), "the cycle")
      await world.schedule.waitUntilIdle()
      try verifyEqual(world.cache.peek(Ref<Node>(50))?.id, 50, "the write that nobody awaits")
    }
  }

  // MARK: Calls without a cycle

  @Test func `a fetch may read and write other records`() throws {
    try Self.explore { cache, call in
      guard Self.id(call) == 1, call.kind == .fetch else { return }
      _ = try await cache.resolve(Ref<Node>(2))
      _ = try await cache.graph(of: Ref<Node>(3), .generations(2))
      _ = try await cache.find(RecordQuery<Node>().sorted(by: \.id).limited(to: 1))
      try await cache.put(Node(id: 60))
      try await cache.write { tx in tx[Ref<Node>(4)]?.value += 1 }
      let pending = try await cache.writeOptimistically { tx in tx[Ref<Node>(5)]?.value += 1 }
      try await pending.outcome()
    } _: { world in
      async let other = world.cache.write { tx in tx[Ref<Node>(6)]?.value += 1 }
      let value = try await world.cache.resolve(Ref<Node>(1)).value
      _ = try await other
      try verifyEqual(value, 1, "what was fetched")
      let values = [4, 5, 6].map { world.cache.peek(Ref<Node>($0))?.value }
      try verifyEqual(values, [5, 6, 7], "what was written")
    }
  }

  @Test func `a commit may read other records and begin writes`() throws {
    try Self.explore { cache, call in
      guard Self.id(call) == 40 else { return }
      _ = try await cache.resolve(Ref<Node>(2))
      _ = try await cache.find(RecordQuery<Node>().sorted(by: \.id).limited(to: 1))
      try await cache.writeOptimistically { tx in try tx.insert(Node(id: 50)) }
    } _: { world in
      try await world.cache.write { tx in try tx.insert(Node(id: 40)) }
      await world.schedule.waitUntilIdle()
      try verifyEqual(world.cache.peek(Ref<Node>(50))?.id, 50, "what was begun")
    }
  }

  /// Several fetches request what one of them waits for, and each gets it.
  @Test func `several fetches may wait for one`() throws {
    try Self.explore { cache, call in
      if (1...3).contains(Self.id(call)) { _ = try await cache.resolve(Ref<Node>(9)) }
    } _: { world in
      try await withThrowingTaskGroup { group in
        for id in [1, 2, 3, 9] { group.addTask { try await world.cache.resolve(Ref<Node>(id)) } }
        try await group.waitForAll()
      }
      try verifyEqual(world.store.requests(for: Ref<Node>(9)), 1, "requests")
    }
  }

  /// A separate task that continues after the call has ended is no longer within it.
  @Test func `a task that outlives its store call waits for nothing`() throws {
    let later = Lock<[Task<Int, any Error>]>([])
    try Self.explore { cache, call in
      guard Self.id(call) == 1, call.kind == .fetch else { return }
      let executor = cache.executor
      let task = Task(executorPreference: executor) {
        for _ in 0..<200 { await Task.yield() }
        return try await cache.resolve(Ref<Node>(1)).value
      }
      later.withLock { $0.append(task) }
    } _: { world in
      _ = try await world.cache.resolve(Ref<Node>(1))
      await world.cache.invalidate(Ref<Node>(1))
      for task in later.withLock({ $0 }) { try verifyEqual(try await task.value, 1, "the value") }
      await world.schedule.waitUntilIdle()
      for task in later.withLock({ $0 }) { _ = try await task.value }
      later.withLock { $0 = [] }
    }
  }

  /// All needs of an activity must end, but one of the activities that hold the places of batches
  /// is enough.
  @Test func `an activity that needs an endless one is stuck`() {
    typealias ID = WaitGraph.ActivityID
    let needs: [ID: [[ID]]] = [1: [[2], [3]], 3: [[1]], 4: [[1, 2]]]
    let graph = WaitGraph()
    let stuck = ([1, 2, 3, 4] as [ID]).filter { graph.isStuck($0) { needs[$0] ?? [] } }
    #expect(stuck == [1, 3])
  }
}
