import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// Queries to the store, and concurrent writes.
@Suite(.tags(.lawQ1))
struct QueryLoadTests {
  private typealias Node = TestNode<Int>

  private static let all = RecordQuery<Node>().sorted(by: \.id)
  private let memory = MemoryStore((0..<600).map { Node(id: $0, value: $0) })

  /// Asks a query whose answer waits until a body has run.
  private func ask(
    _ cache: GraphCache, _ store: ScriptedStore,
    meanwhile: () async throws -> Void
  ) async throws -> [Int] {
    let gate = Gate()
    store.follow(
      StoreScript { call, _ in
        call.kind == .query
          ? StoreBehavior(reading: .beforePause, pause: .gate(gate)) : StoreBehavior()
      })
    let query = Task { try await cache.find(Self.all).map(\.value) }
    try await gate.waitForWaiters(1)
    try await meanwhile()
    gate.open()
    return try await query.value
  }

  @Test func `all records of a type take one call`() async throws {
    let store = ScriptedStore(over: memory)
    let cache = try GraphCache(for: Node.self, store: store)
    #expect(try await cache.find(Self.all).map(\.value) == Array(0..<600))
    #expect(cache.count == 600)
    #expect(store.calls.count == 1)
    #expect(try await cache.resolve(Ref<Node>(7)).value == 7)
    #expect(store.calls.count == 1)
    #expect(cache.statistics.queries == 1)
    #expect(cache.statistics.loads == 600)
  }

  @Test func `a query exceeds the capacity and its last records stay`() async throws {
    let cache = try GraphCache(for: Node.self, store: memory, capacity: 10)
    #expect(try await cache.find(Self.all).map(\.value) == Array(0..<600))
    #expect(await cache.hottest(.max) == (590..<600).reversed().map { AnyRef(Ref<Node>($0)) })
  }

  @Test func `a query does not overwrite a concurrent write`() async throws {
    let store = ScriptedStore(over: memory)
    let cache = try GraphCache(for: Node.self, store: store, capacity: 10)
    let values = try await ask(cache, store) {
      try await cache.write { tx in try tx.update(Ref<Node>(3), \.value, to: -3) }
      await cache.trim(to: 0)
    }
    #expect(values == Array(0..<3) + [-3] + Array(4..<600))
    #expect(await cache.audit() == [])
  }

  @Test func `a query does not revive a record deleted meanwhile`() async throws {
    let store = ScriptedStore(over: memory)
    let cache = try GraphCache(for: Node.self, store: store)
    let values = try await ask(cache, store) {
      try await cache.write { tx in try tx.delete(Ref<Node>(3)) }
    }
    #expect(values == Array(0..<3) + Array(4..<600))
    #expect(cache.peek(Ref<Node>(3)) == nil)
  }

  /// Another program inserts a record after the store has answered.
  @Test func `a query is sent again if everything is dropped meanwhile`() async throws {
    let store = ScriptedStore(over: memory)
    let cache = try GraphCache(for: Node.self, store: store)
    let values = try await ask(cache, store) {
      memory.insert([Node(id: 600, value: 600)])
      await cache.removeAll()
    }
    #expect(values == Array(0...600))
    #expect(store.calls.count { $0.kind == .query } == 2)
  }

  /// The store has committed the changes, and memory has not applied them: the answer must not show
  /// half of them.
  @Test func `a query waits for a commit in progress`() async throws {
    let store = ScriptedStore(over: memory)
    let cache = try GraphCache(for: Node.self, store: store)
    let gate = Gate()
    store.follow(
      StoreScript { call, _ in
        call.kind == .apply ? StoreBehavior(pause: .gate(gate)) : StoreBehavior()
      })
    let writing = Task {
      try await cache.write { tx in
        try tx.update(Ref<Node>(1), \.value, to: -1)
        try tx.update(Ref<Node>(2), \.value, to: -1)
      }
    }
    try await store.waitForCalls(1)
    // Without the cache's knowledge, as if the store had already committed half of it.
    memory.insert([Node(id: 1, value: -1)])
    let finding = Task { try await cache.find(Self.all).prefix(3).map(\.value) }
    try await store.waitForCalls(2)
    try await wait { cache.statistics.waiters == 1 }
    #expect(cache.peek(Ref<Node>(1)) == nil)
    gate.open()
    _ = try await writing.value
    #expect(try await finding.value == [0, -1, -1])
  }

  @Test func `a failed query carries its cause`() async throws {
    let store = ScriptedStore(
      over: memory, script: .plain.onCall(0, StoreBehavior(failure: ScriptedFailure(call: 0))))
    let cache = try GraphCache(for: Node.self, store: store)
    await #expect {
      _ = try await cache.find(Self.all)
    } throws: {
      guard case KinshipError.fetchFailed(type: "TestNode<Int>", ids: [], let cause) = $0 else {
        return false
      }
      return cause is ScriptedFailure
    }
    #expect(try await cache.find(Self.all).count == 600)
  }

  @Test func `observers see the records that a query loads`() async throws {
    let cache = try GraphCache(for: Node.self, store: memory)
    var changes = cache.observe(Node.self).makeAsyncIterator()
    #expect(try await changes.next()?.value.isEmpty == true)
    _ = try await cache.find(Self.all.limited(to: 2))
    #expect(try await changes.next()?.value.count == 2)
  }

  /// The store has deleted a record, but has not answered yet.
  @Test func `a query during a deletion agrees with memory afterwards`() async throws {
    struct Slow: ForwardingStore {
      let base: any BackingStore
      let gate = Gate()

      func apply(_ changes: ChangeSet) async throws {
        try await base.apply(changes)
        try await gate.wait()
      }
    }
    let store = Slow(base: memory)
    let cache = try GraphCache(for: Node.self, store: store)
    let ref = Ref<Node>(7)
    _ = try await cache.resolve(ref)
    let deletion = Task { try await cache.write { tx in try tx.delete(ref) } }
    try await store.gate.waitForWaiters(1)
    let asking = Task {
      let found = try await cache.find(Self.all)
      return (found.contains { $0.id == ref.id }, cache.contains(ref))
    }
    for _ in 0..<1_000 { await Task.yield() }
    store.gate.open()
    let (isFound, isThere) = try await asking.value
    #expect(isFound == isThere)
    _ = try await deletion.value
  }

  /// Everything may have changed, so the store's earlier answer says nothing about later records.
  @Test func `a query is sent again after everything was removed`() async throws {
    let store = ScriptedStore(over: memory)
    let cache = try GraphCache(for: Node.self, store: store)
    let found = try await ask(cache, store) {
      memory.insert([Node(id: 600, value: 600)])
      await cache.removeAll()
    }
    #expect(found == Array(0...600))
  }

  @Test func `a count includes an optimistic write made meanwhile`() async throws {
    let (asking, applying) = (Gate(), Gate())
    let store = ScriptedStore(
      over: memory,
      script: StoreScript { call, _ in
        switch call.kind {
        case .query, .count: StoreBehavior(pause: .gate(asking))
        case .apply: StoreBehavior(pause: .gate(applying))
        default: StoreBehavior()
        }
      })
    let cache = try GraphCache(for: Node.self, store: store)
    let counting = Task { try await cache.find(RecordQuery<Node>().grouped(by: \.value).count) }
    try await asking.waitForWaiters(1)
    let write = try await cache.writeOptimistically { tx in
      try tx.insert(Node(id: 600, value: 5))
    }
    asking.open()
    #expect(try await counting.value[5] == 2)
    applying.open()
    _ = try await write.outcome()
  }

  @Test func `a query asks the store again after everything was removed`() async throws {
    let store = ScriptedStore(over: memory)
    let cache = try GraphCache(for: Node.self, store: store)
    for calls in 1...3 {
      for _ in 0..<2 { #expect(try await cache.find(Self.all).count == 600) }
      #expect(store.calls.count == calls)
      await cache.removeAll()
    }
  }

  @Test func `a partial answer does not complete its type`() async throws {
    let store = ScriptedStore(
      over: memory, script: .always(StoreBehavior(unreadable: [AnyRef(Ref<Node>(7))])))
    let cache = try GraphCache(for: Node.self, store: store)
    #expect(try await cache.find(Self.all, .partial).count == 599)
    store.follow(.plain)
    #expect(try await cache.find(Self.all).count == 600)
  }
}
