import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipTrials

/// Tests of the limits of a restoration: the capacity, and any newer record.
@Suite(.boundedWaits)
struct RestorationTests {
  private typealias Node = TestNode<Int>

  /// The contents of a cache of nodes, the last one the most recently used.
  private func captured(
    _ ids: ClosedRange<Int>, cost: Int = 1, store: (any BackingStore)? = nil
  ) async throws -> CapturedContents {
    let cache = try GraphCache(for: Node.self, store: store)
    try await cache.put(contentsOf: ids.map { Node(id: $0, value: 1, cost: cost) })
    return try await CapturedContents(of: cache, limit: 7)
  }

  private func ids(_ cache: GraphCache) async -> [Int] {
    await cache.hottest(.max).compactMap { $0.as(Node.self)?.id }
  }

  @Test(arguments: 0...12)
  func `a smaller cache restores the most recent records that fit`(capacity: Int) async throws {
    let contents = try await captured(1...10, cost: 3)
    let byCount = try GraphCache(for: Node.self, capacity: capacity)
    let (outcome, _) = try await contents.restore(into: byCount)
    #expect(await ids(byCount) == Array((1...10).reversed().prefix(capacity)))
    #expect(
      outcome == RestoreOutcome(restored: min(10, capacity), isFull: capacity < 10))
    let byCost = try GraphCache(for: Node.self, costLimit: capacity)
    _ = try await contents.restore(into: byCost)
    #expect(await ids(byCost) == Array((1...10).reversed().prefix(capacity / 3)))
    #expect(byCost.statistics.evictions.byCost == 0)
  }

  @Test func `records in memory stay and are the most recent`() async throws {
    let contents = try await captured(1...10)
    let cache = try GraphCache(for: Node.self, capacity: 5)
    try await cache.put(contentsOf: [Node(id: 20), Node(id: 9)])
    await cache.remove(Ref<Node>(10))
    _ = try await contents.restore(into: cache)
    #expect(await ids(cache) == [9, 20, 8, 7, 6])
    #expect(cache.peek(Ref<Node>(9))?.value == 0)
    #expect(await cache.audit() == [])
  }

  /// A restored record is older than any change made since the restoration began.
  @Test func `a change during a restore wins`() async throws {
    let contents = try await captured(1...6)
    let cache = try GraphCache(for: Node.self)
    try await cache.restoring {
      try await cache.put(Node(id: 1, value: 2))
      try await cache.put(Node(id: 2, value: 2))
      await cache.evict(Ref<Node>(2))
      await cache.remove(Ref<Node>(3))
      await cache.invalidate(Ref<Node>(4))
      for batch in contents.batches { _ = await cache.restore(batch, after: .zero) }
    }
    #expect(await ids(cache) == [1, 6, 5])
    #expect(cache.peek(Ref<Node>(1))?.value == 2)
    _ = try await contents.restore(into: cache)
    #expect(await ids(cache) == [1, 6, 5, 4, 2])
  }

  @Test func `a cache emptied during a restore stays empty`() async throws {
    let contents = try await captured(1...6)
    let cache = try GraphCache(for: Node.self)
    let outcome = try await cache.restoring {
      await cache.removeAll()
      return await cache.restore(contents.batches[0], after: .zero)
    }
    #expect(outcome == RestoreOutcome(restored: 0, isFull: true))
    #expect(cache.count == 0)
  }

  /// The store is about to change a record that is not in memory, so the captured value is older.
  @Test func `a record that the store is changing is not restored`() async throws {
    let memory = MemoryStore()
    memory.insert((1...4).map { Node(id: $0, value: 1) })
    let contents = try await captured(1...4)
    let store = ScriptedStore(over: memory)
    let cache = try GraphCache(for: Node.self, store: store)
    let gate = Gate()
    store.follow(
      StoreScript { call, _ in
        StoreBehavior(pause: call.kind == .apply ? .gate(gate) : .none)
      })
    let early = Task { try await cache.write { try $0.update(Ref<Node>(1), \.value, to: 2) } }
    try await gate.waitForWaiters(1)
    try await cache.restoring {
      gate.open()
      _ = try await early.value
      let late = Task { try await cache.write { try $0.update(Ref<Node>(2), \.value, to: 2) } }
      _ = try await late.value
      for batch in contents.batches { _ = await cache.restore(batch, after: .zero) }
    }
    #expect(await ids(cache) == [4, 3])
    #expect(try await cache.resolve([1, 2] as [Ref<Node>]).map(\.value) == [2, 2])
  }

  @Test func `a record that the store is fetching is not restored`() async throws {
    let memory = MemoryStore()
    memory.insert([Node(id: 1, value: 2)])
    let contents = try await captured(1...2)
    let gate = Gate()
    let store = ScriptedStore(over: memory, script: .always(StoreBehavior(pause: .gate(gate))))
    let cache = try GraphCache(for: Node.self, store: store)
    let asking = Task { try await cache.find([1, 3] as [Ref<Node>]) }
    try await gate.waitForWaiters(1)
    _ = try await contents.restore(into: cache)
    try await cache.restoring { await cache.restore(missing: IDs([1, 3], of: TypeNumber(0))) }
    #expect(cache.peek(Ref<Node>(1)) == nil)
    #expect(await cache.audit() == [])
    gate.open()
    #expect(try await asking.value.map { $0?.value } == [2, nil])
    #expect(cache.count == 2)
    #expect(await cache.audit() == [])
  }

  @Test func `leased records are restored and may exceed the limits`() async throws {
    let source = try GraphCache(for: Node.self)
    try await source.put(contentsOf: (1...6).map { Node(id: $0) })
    let home = source.lease([1, 2, 3] as [Ref<Node>], named: "home")
    let contents = try await CapturedContents(of: source)
    home.end()
    let cache = try GraphCache(for: Node.self, capacity: 2)
    try await cache.put(Node(id: 9))
    let (outcome, leases) = try await contents.restore(into: cache)
    #expect(outcome == RestoreOutcome(restored: 3, isFull: true))
    #expect((1...3).allSatisfy { cache.contains(Ref<Node>($0)) })
    #expect(cache.count == 3)
    #expect(await cache.audit() == [])
    leases["home"]?.end()
    #expect(cache.count == 2)
  }

  @Test func `absences are restored only if there is a store`() async throws {
    let memory = MemoryStore()
    let store = ScriptedStore(over: memory)
    let source = try GraphCache(for: Node.self, store: store)
    _ = try await source.find((1...500).map { Ref<Node>($0) })
    let contents = try await CapturedContents(of: source)
    #expect(contents.missingIDs(Node.self, number: 0) == Set(1...500))
    let cache = try GraphCache(for: Node.self, store: store)
    try await cache.put(Node(id: 1))
    _ = try await contents.restore(into: cache)
    let calls = store.calls.count
    #expect(try await cache.find((1...500).map { Ref<Node>($0) }).compactMap(\.self).count == 1)
    #expect(store.calls.count == calls)
    #expect(await cache.audit() == [])
    let plain = try GraphCache(for: Node.self)
    _ = try await contents.restore(into: plain)
    #expect(try await CapturedContents(of: plain).missing.isEmpty)
  }

  @Test func `observers see restored records`() async throws {
    let contents = try await captured(1...2)
    let cache = try GraphCache(for: Node.self)
    var changes = cache.observe(Ref<Node>(1)).makeAsyncIterator()
    let before = try await changes.next()
    _ = try await contents.restore(into: cache)
    let after = try await changes.next()
    #expect(before?.value == nil)
    #expect(after?.value?.value == 1)
  }
}
