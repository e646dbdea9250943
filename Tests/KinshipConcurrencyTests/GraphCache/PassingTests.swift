import Foundation
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// One-off scans leave the records in memory as they were.
@Suite(.tags(.lawE5))
struct PassingTests {
  private typealias Node = TestNode<Int>

  private static let capacity = 100
  private static let all = RecordQuery<Node>().sorted(by: \.id)

  /// A chain of records, ten times as many as the capacity.
  private let memory = MemoryStore(
    (0..<capacity * 10).map { Node(id: $0, value: $0, links: [Ref($0 + 1)]) })

  /// A cache filled by a working set.
  private func filledCache(_ store: (any BackingStore)? = nil) async throws -> GraphCache {
    let cache = try GraphCache(
      for: Node.self, store: store ?? memory, capacity: Self.capacity, generations: 0)
    _ = try await cache.find(Self.workingSet)
    return cache
  }

  private static let workingSet = (0..<capacity).map { Ref<Node>($0 * 7) }

  /// The share of some Zipf-distributed reads that memory answers.
  private func hitRate(of cache: GraphCache) async -> Double {
    let ranks = ZipfDistribution(count: Self.workingSet.count, exponent: 0.9)
    var generator = SplitMix64(seed: 3)
    let before = cache.statistics
    for _ in 0..<5_000 {
      _ = await cache[Self.workingSet[ranks.draw(using: &generator)]]
    }
    let after = cache.statistics
    return Double(after.hits - before.hits) / 5_000
  }

  @Test func `a one-off scan leaves the hit rate unchanged`() async throws {
    let cache = try await filledCache()
    #expect(await hitRate(of: cache) == 1)
    #expect(try await cache.find(Self.all, .passing).map(\.value) == Array(0..<1_000))
    #expect(await hitRate(of: cache) == 1)
    let chain = try await cache.find(Ref<Node>(0).graph(.generations(999)), .passing)
    #expect(chain.count == 1_000)
    #expect(await hitRate(of: cache) == 1)
    #expect(await cache.audit() == [])
    // An ordinary query evicts all of the working set.
    _ = try await cache.find(Self.all)
    #expect(await hitRate(of: cache) < 0.5)
  }

  @Test func `a one-off scan leaves the recency order unchanged`() async throws {
    let cache = try await filledCache()
    let order = await cache.hottest(.max)
    _ = try await cache.find(Self.all, .passing)
    _ = try await cache.find(Self.all.limited(to: 20), .passing)
    for _ in 0..<2 {
      let next = try await cache.find(Self.all.view { $0.links.first?.value }, .passing)
      #expect(next == (1..<1_000).map { $0 } + [nil])
    }
    _ = try await cache.find(((0..<50).map { Ref<Node>($0) }).graphs(.generations(20)), .passing)
    for root in Self.workingSet { _ = try await cache.find(root.graph(.generations(0)), .passing) }
    #expect(await cache.hottest(.max) == order)
  }

  /// The cache has all records of the type, so it does not ask the store.
  @Test func `a passing query answered by memory leaves the recency order`() async throws {
    let store = ScriptedStore(over: MemoryStore((0..<10).map { Node(id: $0, value: $0) }))
    let cache = try GraphCache(for: Node.self, store: store, capacity: Self.capacity)
    _ = try await cache.find(RecordQuery<Node>())
    let order = await cache.hottest(.max)
    _ = try await cache.find(Self.all, .passing)
    _ = try await cache.find(RecordQuery<Node>().sorted(by: \.id, .descending), .passing)
    #expect(store.calls.count == 1)
    #expect(await cache.hottest(.max) == order)
    _ = try await cache.find(Self.all)
    #expect(await cache.hottest(.max) == (0..<10).reversed().map { AnyRef(Ref<Node>($0)) })
  }

  /// If there is free capacity, the scan's records stay until it is needed.
  @Test func `a one-off scan fills only free capacity`() async throws {
    let cache = try await filledCache()
    await cache.trim(to: 90)
    let first = await cache.hottest(.max)
    _ = try await cache.find(Self.all, .passing)
    #expect(cache.count == 100)
    let order = await cache.hottest(.max)
    #expect(Array(order.prefix(90)) == first)
    // Reading the record makes it the most recently used.
    let passed = try #require(order.last?.as(Node.self))
    #expect(await cache[passed] != nil)
    #expect(await cache.hottest(1) == [AnyRef(passed)])
  }

  @Test func `listeners and statistics count a one-off scan`() async throws {
    let cache = try await filledCache()
    let evicted = Lock<Set<AnyRef>>([])
    let subscription = cache.onRemoval { removal in
      evicted.withLock { _ = $0.insert(removal.ref) }
    }
    let before = cache.statistics
    _ = try await cache.find(Self.all, .passing)
    subscription.cancel()
    #expect(evicted.withLock(\.count) == 900)
    #expect(evicted.withLock { $0.isDisjoint(with: Self.workingSet.map { AnyRef($0) }) })
    #expect(cache.statistics.loads - before.loads == 900)
    #expect(cache.statistics.evictions.byCount - before.evictions.byCount == 900)
  }

  // MARK: Concurrent calls

  /// Runs a passing graph that waits for its second record while a body runs.
  private func walk(
    _ cache: GraphCache, _ store: ScriptedStore, meanwhile: () async throws -> Void
  ) async throws -> Graph<Node> {
    let gate = Gate()
    store.follow(
      StoreScript { call, _ in
        call.refs.contains(AnyRef(Ref<Node>(2)))
          ? StoreBehavior(pause: .gate(gate)) : StoreBehavior()
      })
    let graph = Task { try await cache.find(Ref<Node>(1).graph(.generations(5)), .passing) }
    try await gate.waitForWaiters(1)
    try await meanwhile()
    gate.open()
    return try await graph.value
  }

  /// Records that others load evict the least recently used ones, not those of the scan, which
  /// evict nothing.
  @Test func `other loads during a scan evict the least recently used records`() async throws {
    let store = ScriptedStore(over: memory)
    let cache = try await filledCache(store)
    let order = await cache.hottest(.max)
    let graph = try await walk(cache, store) {
      #expect(cache.contains(Ref<Node>(1)))
      #expect(cache.count == 101)
      for id in 901..<904 { _ = try await cache.resolve(Ref<Node>(id)) }
      #expect(await cache.audit() == [])
    }
    #expect(graph.count == 6)
    let expected = [903, 902, 901].map { AnyRef(Ref<Node>($0)) } + order.dropLast(3)
    #expect(await cache.hottest(.max) == expected)
    #expect(await cache.audit() == [])
  }

  /// Leasing, putting or reading a record of the scan counts as a use.
  @Test func `a record used during a scan stays`() async throws {
    let store = ScriptedStore(over: memory)
    let cache = try await filledCache(store)
    var lease: GraphCache.Lease?
    _ = try await walk(cache, store) {
      lease = cache.lease([Ref<Node>(1)])
      #expect(await cache.audit() == [])
      try await cache.put(Node(id: 2, value: -2))
    }
    #expect(cache.count == 100)
    #expect(cache.contains(Ref<Node>(1)))
    #expect(cache.peek(Ref<Node>(2))?.value == -2)
    #expect(!cache.contains(Ref<Node>(3)))
    #expect(await cache.audit() == [])
    lease?.end()
    #expect(await cache.hottest(2) == [1, 2].map { AnyRef(Ref<Node>($0)) })
  }

  /// A trim to nothing keeps the records being walked, and a cancelled walk leaves nothing behind.
  @Test func `a trim or a cancellation during a scan leaves nothing behind`() async throws {
    let store = ScriptedStore(over: memory)
    let cache = try await filledCache(store)
    let graph = try await walk(cache, store) { await cache.trim(to: 0) }
    #expect(graph.count == 6)
    #expect(await cache.audit() == [])
    #expect(cache.count == 6)
    let gate = Gate()
    store.follow(StoreScript { _, _ in StoreBehavior(pause: .gate(gate)) })
    let walk = Task { try await cache.find(Ref<Node>(1).graph(.generations(50)), .passing) }
    try await gate.waitForWaiters(1)
    walk.cancel()
    await #expect(throws: CancellationError.self) { try await walk.value }
    gate.open()
    #expect(await cache.audit() == [])
  }

  @Test func `a query answered by memory is a use`() async throws {
    let memory = MemoryStore((0..<10).map { TestNode<Int>(id: $0, value: $0) })
    let cache = try GraphCache(for: TestNode<Int>.self, store: memory)
    _ = try await cache.find(RecordQuery<TestNode<Int>>())
    let few = RecordQuery<TestNode<Int>>(#Predicate { $0.id < 2 }).sorted(by: \.id)
    _ = try await cache.find(few)
    #expect(await cache.hottest(2) == [1, 0].map { AnyRef(Ref<TestNode<Int>>($0)) })
    #expect(cache.statistics.queries == 1)
  }
}
