import KinshipTestSupport
import Testing

@testable import Kinship

/// A record that changes faster than it is fetched is delivered all the same, and not kept.
struct RestartTests {
  private typealias Node = TestNode<Int>

  /// A cache whose store changes records, and invalidates them, within each fetch of them.
  private func world(
    _ schedule: Schedule, hot: Set<Int>, batchSize: Int = .max
  ) throws -> (MemoryStore, ScriptedStore, GraphCache) {
    let memory = MemoryStore((0..<6).map { Node(id: $0, links: [Ref($0 + 1)]) })
    let store = ScriptedStore(over: memory, seed: schedule.seed)
    let cache = try GraphCache(
      for: Node.self, store: store, fetching: FetchLimits(batchSize: batchSize),
      executor: schedule.executor)
    store.follow(
      StoreScript { call, generator in
        StoreBehavior(
          pause: .yields(Int.random(in: 0..<4, using: &generator)),
          action: {
            for id in call.refs.compactMap({ $0.as(Node.self)?.id }) where hot.contains(id) {
              memory.insert([Node(id: id, value: call.number + 1, links: [Ref(id + 1)])])
              await cache.invalidate(Ref<Node>(id))
            }
          })
      })
    return (memory, store, cache)
  }

  private func verifyAtRest(_ cache: GraphCache, _ schedule: Schedule) async throws {
    await schedule.waitUntilIdle()
    try verifyEqual(await cache.audit(), [], "the audit")
    try verifyEqual(cache.statistics.waiters, 0, "waiters")
    try verifyEqual(cache.statistics.traversals, 0, "traversals")
    try verifyEqual(await cache.coldest(.max).count, cache.count, "what is not claimed")
    try verify(
      cache.state.withLock { $0.transient.isEmpty && $0.waits.isEmpty }, "something is left")
  }

  @Test func `a record that keeps changing is delivered but not kept`() throws {
    try Schedule.explore(seeds: 100) { schedule in
      let (_, store, cache) = try world(schedule, hot: [1])
      let record = try await cache.resolve(Ref<Node>(1))
      // It is the store's value at the last request: the call before has changed it.
      try verifyEqual(record.value, store.calls.count - 1, "the value")
      try verifyEqual(store.calls.count, LoadQueue.maxRestarts + 1, "calls")
      try verifyEqual(cache.peek(Ref<Node>(1)), nil, "what is kept")
      try await verifyAtRest(cache, schedule)
    }
  }

  @Test(arguments: [1, .max])
  func `several records arrive though some keep changing`(batchSize: Int) throws {
    try Schedule.explore(seeds: 100) { schedule in
      let (_, _, cache) = try world(schedule, hot: [1, 3], batchSize: batchSize)
      async let one = cache.find((0..<5).map { Ref<Node>($0) })
      async let two = cache.find([3, 4, 1, 17] as [Ref<Node>])
      try verifyEqual(try await one.map { $0?.id }, [0, 1, 2, 3, 4], "the records")
      try verifyEqual(try await two.map { $0?.id }, [3, 4, 1, nil], "the records")
      try verifyEqual(cache.peek(Ref<Node>(1)), nil, "what is kept")
      try verifyEqual(cache.peek(Ref<Node>(0))?.id, 0, "what is kept")
      try await verifyAtRest(cache, schedule)
    }
  }

  /// An observer sees each newer version all the same, and the latest one at the end.
  @Test func `an observer sees a record that keeps changing`() throws {
    try Schedule.explore(seeds: 100) { schedule in
      let (memory, store, cache) = try world(schedule, hot: [1])
      var changes = cache.observe([Ref<Node>(0), Ref<Node>(1)]).makeAsyncIterator()
      var shown = -1
      func show(_ change: ObservedChange<[Node], ListDiff<Node>>?) throws {
        guard let change else { throw Mismatch("it has ended") }
        guard let value = change.value.first(where: { $0.id == 1 })?.value else { return }
        try verify(value >= shown, "\(value) was shown after \(shown)")
        shown = value
      }
      for _ in 0..<6 { try show(try await changes.next()) }
      try verify(shown > 0, "it was never shown")
      store.follow(.plain)
      while shown != memory[Ref<Node>(1)]?.value { try show(try await changes.next()) }
      changes = cache.observe([Ref<Node>]()).makeAsyncIterator()
      try await verifyAtRest(cache, schedule)
    }
  }

  @Test func `an absence that keeps being invalidated is delivered but not kept`() throws {
    try Schedule.explore(seeds: 50) { schedule in
      let (memory, store, cache) = try world(schedule, hot: [])
      store.follow(.always(StoreBehavior(action: { await cache.invalidate(Ref<Node>(17)) })))
      try verifyEqual(try await cache.find(Ref<Node>(17)), nil, "what does not exist")
      store.follow(.plain)
      memory.insert([Node(id: 17)])
      try verifyEqual(try await cache.find(Ref<Node>(17))?.id, 17, "what does by now")
      try await verifyAtRest(cache, schedule)
    }
  }

  @Test(arguments: [0, 1, 3])
  func `a graph finishes although a record keeps changing`(hot: Int) throws {
    try Schedule.explore(seeds: 50) { schedule in
      let (_, _, cache) = try world(schedule, hot: [hot])
      let graph = try await cache.graph(of: Ref<Node>(0), .generations(3))
      try verifyEqual(graph.records(of: Node.self).map(\.id), [0, 1, 2, 3], "the graph")
      try await verifyAtRest(cache, schedule)
    }
  }

  /// A caller that asks after the last change gets the value after it.
  @Test func `a later caller waits for the next answer`() throws {
    try Schedule.explore(seeds: 100) { schedule in
      let gate = Gate()
      let memory = MemoryStore([Node(id: 1)])
      let store = ScriptedStore(
        over: memory,
        script: .plain.onCall(LoadQueue.maxRestarts, StoreBehavior(pause: .gate(gate))))
      let cache = try GraphCache(for: Node.self, store: store, executor: schedule.executor)
      store.follow(
        StoreScript { call, _ in
          call.number < LoadQueue.maxRestarts
            ? StoreBehavior(action: { await cache.invalidate(Ref<Node>(1)) })
            : call.number == LoadQueue.maxRestarts
              ? StoreBehavior(pause: .gate(gate)) : StoreBehavior()
        })
      let first = Task(executorPreference: schedule.executor) {
        try await cache.resolve(Ref<Node>(1)).value
      }
      try await store.waitForCalls(LoadQueue.maxRestarts + 1)
      await schedule.waitUntilIdle()
      memory.insert([Node(id: 1, value: 1)])
      await cache.invalidate(Ref<Node>(1))
      let leaving = Task(executorPreference: schedule.executor) {
        try await cache.resolve(Ref<Node>(1)).value
      }
      let later = Task(executorPreference: schedule.executor) {
        try await cache.resolve(Ref<Node>(1)).value
      }
      await schedule.waitUntilIdle()
      leaving.cancel()
      if schedule.seed % 3 == 0 { first.cancel() }
      await schedule.waitUntilIdle()
      try verifyEqual(await cache.audit(), [], "the audit")
      gate.open()
      // The caller gets the record it waited for, or a newer one from memory.
      if schedule.seed % 3 != 0 { try verify([0, 1].contains(try await first.value), "no value") }
      try verifyEqual(try await later.value, 1, "the new value")
      try verifyEqual(cache.peek(Ref<Node>(1))?.value, 1, "what is kept")
      try await verifyAtRest(cache, schedule)
    }
  }

  /// The cache's own transactions write it without a pause: the reader waits for its turn.
  @Test(arguments: [false, true])
  func `a reader gets a record that is always being written`(asGraph: Bool) throws {
    try Schedule.explore(seeds: 20) { schedule in
      let memory = MemoryStore([Node(id: 1)])
      let store = ScriptedStore(
        over: memory,
        script: StoreScript { call, _ in StoreBehavior(pause: .yields(call.kind == .fetch ? 30 : 2))
        })
      let cache = try GraphCache(for: Node.self, store: store, executor: schedule.executor)
      let isRead = Lock(false)
      let writing = Task(executorPreference: schedule.executor) {
        for number in 1...300 where !isRead.withLock({ $0 }) {
          try await cache.write { tx in try tx.update(Ref<Node>(1), \.value, to: number) }
          if number == 300 { throw Mismatch("it was never read") }
        }
      }
      if asGraph {
        _ = try await cache.graph(of: Ref<Node>(1), .generations(1))
      } else {
        _ = try await cache.resolve(Ref<Node>(1))
      }
      isRead.withLock { $0 = true }
      try await writing.value
      try await verifyAtRest(cache, schedule)
    }
  }

  @Test func `a load is repeated if everything is removed meanwhile`() async throws {
    let (memory, gate) = (MemoryStore([Node(id: 1, value: 1)]), Gate())
    let store = ScriptedStore(
      over: memory, script: .plain.onCall(0, StoreBehavior(pause: .gate(gate))))
    let cache = try GraphCache(for: Node.self, store: store)
    let loading = Task { try await cache.resolve(Ref<Node>(1)).value }
    try await store.waitForCalls(1)
    memory.insert([Node(id: 1, value: 2)])
    await cache.removeAll()
    gate.open()
    #expect(try await loading.value == 2)
  }

  @Test func `no batch exceeds its limit`() async throws {
    let size = Chunk.size * 3 / 2
    let nodes = (0..<Chunk.size * 4).map { Node(id: $0) }
    let store = ScriptedStore(over: MemoryStore(nodes))
    let cache = try GraphCache(
      for: Node.self, store: store, fetching: FetchLimits(batchSize: size))
    #expect(try await cache.resolve(nodes.map(\.ref)).count == nodes.count)
    #expect(store.calls.allSatisfy { $0.refs.count <= size })
  }

  /// A record is put while its answer is already known to be too old to keep.
  @Test func `a put answers later waiters without the store`() async throws {
    let (gate, ref) = (Gate(), Ref<Node>(1))
    let store = ScriptedStore(over: MemoryStore([Node(id: 1)]))
    let cache = try GraphCache(for: Node.self, store: store)
    store.follow(
      StoreScript { call, _ in
        StoreBehavior(action: {
          await cache.invalidate(ref)
          if call.number >= LoadQueue.maxRestarts { try await gate.wait() }
        })
      })
    let first = Task { try await cache.resolve(ref).value }
    try await gate.waitForWaiters(1)
    let second = Task { try await cache.resolve(ref).value }
    try await wait { cache.statistics.waiters == 2 }
    try await cache.put(Node(id: 1, value: 99))
    try await wait { cache.statistics.waiters == 0 }
    #expect(try await first.value == 99)
    #expect(try await second.value == 99)
    gate.open()
  }

  /// A call that reads memory by itself takes no copies of records that are too old to keep.
  @Test func `no copies of records are left behind`() async throws {
    let ref = Ref<Node>(1)
    let store = ScriptedStore(over: MemoryStore([Node(id: 1)]))
    let cache = try GraphCache(for: Node.self, store: store)
    store.follow(StoreScript { _, _ in StoreBehavior(action: { await cache.invalidate(ref) }) })
    #expect(try await cache.find(ref, .within(.seconds(60))) == Node(id: 1))
    #expect(cache.state.withLock { $0.transient.isEmpty })
  }
}
