import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// The age of records, and the events that reset it.
@Suite(.boundedWaits)
struct AgeTests {
  private typealias Node = TestNode<Int>

  @Test func `a write or load resets a record's age and a read does not`() async throws {
    let clock = ManualClock()
    let memory = MemoryStore()
    memory.insert([Node(id: 1), Node(id: 7)])
    let cache = try GraphCache(for: Node.self, store: memory, clock: clock)
    let ref = Ref<Node>(1)
    func age() -> Duration? {
      clock.advance(by: .seconds(2))
      return cache.age(of: ref)
    }
    #expect(age() == nil)
    try await cache.put(Node(id: 1))
    #expect(age() == .seconds(2))
    #expect(await cache[ref] != nil)
    #expect(age() == .seconds(4))
    try await cache.put(Node(id: 1, value: 2))
    #expect(age() == .seconds(2))
    try await cache.update(ref, \.value, to: 3)
    #expect(age() == .seconds(2))
    try await cache.update(ref) { $0.value = 4 }
    #expect(age() == .seconds(2))
    try await cache.put(contentsOf: [Node(id: 1)])
    #expect(age() == .seconds(2))
    try await cache.write { try $0.update(ref, \.value, to: 5) }
    #expect(age() == .seconds(2))
    #expect(try await cache.find(RecordQuery<Node>()).count == 2)
    #expect(age() == .seconds(4))
    #expect(cache.age(of: Ref<Node>(7)) == .seconds(2))
    await cache.evict(Ref<Node>(7))
    _ = try await cache.resolve(Ref<Node>(7))
    #expect(cache.age(of: Ref<Node>(7)) == .zero)
    await cache.invalidate(ref)
    #expect(cache.age(of: ref) == nil)
  }

  /// A call is one moment; the next one is another.
  @Test func `each call uses one moment for all ages`() async throws {
    let clock = ManualClock()
    let cache = try GraphCache(for: Node.self, clock: clock)
    try await cache.perform { cache in
      try cache.put(Node(id: 1))
      clock.advance(by: .seconds(1))
      for id in 2...1000 { try cache.put(Node(id: id)) }
    }
    #expect(cache.age(of: Ref<Node>(1)) == .seconds(1))
    #expect(cache.age(of: Ref<Node>(2)) == .seconds(1))
    #expect(cache.age(of: Ref<Node>(1000)) == .zero)
    clock.advance(by: .seconds(1))
    try await cache.put(Node(id: 2))
    #expect(cache.age(of: Ref<Node>(2)) == .zero)
  }

  @Test func `ages stay within their range`() {
    #expect(Age(.seconds(-1)).tenths == 0)
    #expect(Age(.milliseconds(199)).duration == .milliseconds(100))
    #expect(Age(.seconds(Int64.max)).tenths == .max)
    #expect(Age(.seconds(429_496_729)).tenths == 4_294_967_290)
    #expect(Age(.seconds(429_496_730)).tenths == .max)
    #expect((Age(tenths: .max) + Age(tenths: 1)).tenths == .max)
    let start = Stamp.after(.zero)
    #expect(Stamp.after(.seconds(3)).age(at: start) == Age(.zero))
    #expect(start.age(at: .after(.seconds(3))) == Age(.seconds(3)))
    #expect(start.before(by: Age(.seconds(3))).age(at: start) == Age(.seconds(3)))
    #expect(start.before(by: Age(tenths: .max)).age(at: start) == Age(tenths: 1 << 31))
    #expect(Stamp.after(.seconds(Int64.max)).age(at: start) == Age(.zero))
  }
}
