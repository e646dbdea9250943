import KinshipTestSupport
import Testing

@testable import Kinship

/// Capturing a moment while writes go on, and restoring it.
struct CaptureTests {
  private typealias Node = TestNode<Int>

  @Test func aRestoredCacheIsTheCapturedOne() async throws {
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
    #expect(outcome == Restoration.Outcome(restored: cache.count, isFull: false))
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
}
