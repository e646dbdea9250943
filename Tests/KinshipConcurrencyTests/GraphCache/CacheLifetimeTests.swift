import Kinship
import KinshipTestSupport
import Testing

/// The cache releases every record at the moment it removes it.
struct CacheLifetimeTests {
  private struct Held: GraphRecord {
    let id: Int
    var payload: Tracked<Int>
    var next: Ref<Held>?
    static let relationships: Relationships<Held> = [.toOne(\.next)]
  }

  private let tracker = LifetimeTracker()

  private func held(_ ids: Range<Int>) -> [Held] {
    ids.map { Held(id: $0, payload: tracker.track($0), next: Ref($0 + 1)) }
  }

  @Test func `every way out of the cache releases the record`() async throws {
    let cache = try GraphCache(for: Held.self, capacity: 300)
    try await cache.put(contentsOf: held(0..<1_000))
    #expect(tracker.liveCount == 300)
    try await cache.put(contentsOf: held(900..<1_000))
    #expect(tracker.liveCount == 300)
    await cache.remove(Ref<Held>(999))
    await cache.evict(Ref<Held>(998))
    await cache.invalidate(Ref<Held>(997))
    #expect(tracker.liveCount == 297)
    try await cache.update(Ref<Held>(996)) { [tracker] in $0.payload = tracker.track(0) }
    let replacement = tracker.track(1)
    try await cache.update(Ref<Held>(995), \.payload, to: replacement)
    #expect(tracker.liveCount == 297)
    await cache.trim(to: 100)
    #expect(tracker.liveCount == 100)
    await cache.removeAll()
    // The test still holds the replacement.
    #expect(tracker.liveCount == 1)
    #expect(await cache.audit() == [])
    _ = replacement
  }

  @Test func `a released cache releases everything`() async throws {
    let tracker = tracker
    do {
      let cache = try GraphCache(for: Held.self, TestPlace.self)
      try await cache.put(contentsOf: held(0..<500))
      let lease = cache.lease((100..<200).map { Ref<Held>($0) })
      let subscription = cache.onRemoval { _ in }
      for id in stride(from: 0, to: 500, by: 3) { await cache.remove(Ref<Held>(id)) }
      #expect(tracker.liveCount == 333)
      _ = (lease, subscription)
    }
    #expect(tracker.liveCount == 0)
  }

  @Test func `a graph keeps its own records alive and no others`() async throws {
    let cache = try GraphCache(for: Held.self, store: MemoryStore(), capacity: 1_000)
    try await cache.put(contentsOf: held(0..<500))
    do {
      let graph = try await cache.graph(of: Ref<Held>(10), .generations(9))
      await cache.removeAll()
      #expect(tracker.liveCount == 10)
      #expect(graph.root.next?.next?.record.payload.value == 12)
    }
    #expect(tracker.liveCount == 0)
  }

  @Test func `loads that end too late leave nothing behind`() async throws {
    let gate = Gate()
    let cache = try GraphCache(
      for: Held.self,
      store: ScriptedStore(
        over: MemoryStore(held(0..<50)),
        script: .always(StoreBehavior(pause: .gateIgnoringCancellation(gate)))))
    let load = Task { try await cache.find((0..<50).map { Ref<Held>($0) }) }
    try await gate.waitForWaiters(1)
    load.cancel()
    _ = await load.result
    gate.open()
    try await wait { cache.statistics.batchesInFlight == 0 }
    #expect(cache.count == 0)
    #expect(await cache.audit() == [])
    // The records of the store.
    #expect(tracker.liveCount == 50)
  }

  @Test func `a listener is released with its subscription`() async throws {
    let cache = try GraphCache(for: Held.self)
    do {
      let captured = tracker.track(7)
      let subscription = cache.onRemoval { _ in _ = captured }
      try await cache.put(contentsOf: held(0..<1))
      await cache.remove(Ref<Held>(0))
      #expect(tracker.liveCount == 1)
      _ = subscription
    }
    #expect(tracker.liveCount == 0)
    #expect(cache.statistics.listeners == 0)
  }
}
