import KinshipTestSupport
import Testing

@testable import Kinship
@testable import KinshipTrials

/// Captures of a cache while it is used, and their turns.
struct CaptureTests {
  private typealias Node = TestNode<Int>
  private struct Refusal: Error {}

  @Test func `a restored cache equals the captured one`() async throws {
    let clock = ManualClock()
    let cache = try GraphCache(for: Node.self, TestPlace.self, clock: clock)
    for id in 0..<1000 {
      try await cache.put(Node(id: id, value: id))
      if id % 3 == 0 { try await cache.put(TestPlace(id: id, name: "\(id)")) }
      clock.advance(by: .milliseconds(300))
    }
    let home = cache.lease([3, 5, 2000] as [Ref<Node>], named: "home")
    let contents = try await CapturedContents(of: cache, limit: 100)
    #expect(contents.batches.joined().reduce(0) { $0 + $1.count } == cache.count)
    let other = try GraphCache(for: Node.self, TestPlace.self, clock: clock)
    clock.advance(by: .seconds(5))
    let (outcome, leases) = try await contents.restore(into: other, after: .seconds(5))
    #expect(outcome == RestoreOutcome(restored: cache.count, isFull: false))
    #expect(leases.keys.sorted() == ["home"])
    #expect(await other.hottest(.max) == cache.hottest(.max))
    #expect(await other.audit() == [])
    for id in 0..<1000 {
      #expect(other.peek(Ref<Node>(id)) == cache.peek(Ref<Node>(id)))
      #expect(other.age(of: Ref<Node>(id)) == cache.age(of: Ref<Node>(id)))
      #expect(other.age(of: Ref<TestPlace>(id)) == cache.age(of: Ref<TestPlace>(id)))
    }
    withExtendedLifetime(home) {}
  }

  /// Pending values, which may be rejected, are not part of a capture.
  @Test func `a capture leaves out uncommitted writes`() async throws {
    let memory = MemoryStore()
    memory.insert((1...4).map { Node(id: $0) })
    let store = ScriptedStore(over: memory)
    let cache = try GraphCache(for: Node.self, store: store)
    _ = try await cache.find([1, 2, 3, 9] as [Ref<Node>])
    let gate = Gate()
    store.follow(
      StoreScript { call, _ in
        StoreBehavior(pause: call.kind == .apply ? .gate(gate) : .none)
      })
    let pending = try await cache.writeOptimistically { tx in
      try tx.update(Ref<Node>(1), \.value, to: 7)
      try tx.delete(Ref<Node>(2))
      try tx.insert(Node(id: 5))
    }
    let during = try await CapturedContents(of: cache)
    gate.open()
    try await pending.outcome()
    let after = try await CapturedContents(of: cache)
    #expect(during.records(Node.self).map(\.record.id) == [3])
    #expect(during.missingIDs(Node.self, number: 0) == [9])
    #expect(Set(after.records(Node.self).map(\.record.id)) == [1, 3, 5])
    #expect(after.missingIDs(Node.self, number: 0) == [2, 9])
  }

  @Test func `a capture keeps leases by name`() async throws {
    let cache = try GraphCache(for: Node.self, TestPlace.self)
    let home = cache.lease([1, 2] as [Ref<Node>], named: "home")
    let alsoHome = cache.lease([2, 3] as [Ref<Node>], named: "home")
    let homePlace = cache.lease([Ref<TestPlace>(8)], named: "home")
    let unnamed = cache.lease([Ref<Node>(4)])
    let ended = cache.lease([Ref<Node>(5)], named: "ended")
    ended.end()
    let leases = try await CapturedContents(of: cache).leases
    #expect(leases.keys.sorted() == ["home"])
    let needs = try #require(leases["home"])
    #expect(needs.map(\.type.index) == [0, 1])
    #expect(needs[0].of(Node.self) == [1, 2, 3])
    #expect(needs[1].of(Node.self) == [8])
    #expect(cache.statistics.leases == 4)
    for lease in [home, alsoHome, homePlace, unnamed] { lease.end() }
    #expect(try await CapturedContents(of: cache).leases.isEmpty)
  }

  @Test func `a capture releases its records however it ends`() async throws {
    let cache = try GraphCache(for: Node.self)
    try await cache.put(contentsOf: (0..<1000).map { Node(id: $0) })
    await #expect(throws: Refusal.self) {
      try await cache.capture { reader in
        _ = reader.next(limit: 10)
        await cache.removeAll()
        let kept = cache.state.withLock { $0.map.captured.detachedPages.bases.count }
        #expect(kept > 10)
        throw Refusal()
      }
    }
    let (kept, isActive) = cache.state.withLock { state in
      (
        state.map.captured.savedPages.count + state.map.captured.detachedPages.bases.count - 1,
        state.map.captured.isActive || state.map.recency.isCaptured
      )
    }
    #expect(kept == 0)
    #expect(!isActive)
    #expect(cache.captureTurns.count == 0)
  }

  @Test func `captures take turns`() async throws {
    let cache = try GraphCache(for: Node.self)
    try await cache.put(Node(id: 1))
    let gate = Gate()
    async let first = cache.capture { reader in
      try await gate.wait()
      return CapturedContents(&reader).records(Node.self).map(\.record.value)
    }
    try await gate.waitForWaiters(1)
    let second = Task {
      try await CapturedContents(of: cache).records(Node.self).map(\.record.value)
    }
    let cancelled = Task { try await CapturedContents(of: cache) }
    try await wait { cache.captureTurns.count >= 3 }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    try await cache.put(Node(id: 1, value: 2))
    gate.open()
    #expect(try await first == [0])
    #expect(try await second.value == [2])
    #expect(cache.captureTurns.count == 0)
  }

  /// No write happens while a capture begins, and no capture during a write.
  @Test func `a capture never splits a writing call`() async throws {
    let cache = try GraphCache(for: Node.self)
    let effort = try Effort()
    let writer = Task {
      for value in 1...effort.operations(200) {
        try await cache.perform { cache in
          for id in 0..<50 { try cache.put(Node(id: id, value: value)) }
        }
        await Task.yield()
      }
    }
    for _ in 0..<effort.operations(100) {
      let values = try await CapturedContents(of: cache).records(Node.self).map(\.record.value)
      #expect(Set(values).count <= 1)
    }
    try await writer.value
  }
}
