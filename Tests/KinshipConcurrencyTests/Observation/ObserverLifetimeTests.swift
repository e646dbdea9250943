import Foundation
import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// An observer that stops, in any way and at any moment, leaves nothing behind.
@Suite(.boundedWaits)
struct ObserverLifetimeTests {
  private typealias Node = TestNode<Int>

  @Test func `a cancelled observer leaves nothing behind`() throws {
    try Schedule.explore(seeds: 400) { schedule in
      var generator = SplitMix64(seed: schedule.seed)
      let store = ScriptedStore(
        over: MemoryStore((0..<6).map { Node(id: $0, links: [Ref(($0 + 1) % 6)]) }),
        script: .random(StoreFaults(failure: 0.1)), seed: schedule.seed)
      let cache = try GraphCache(
        for: Node.self, store: store, capacity: 3, executor: schedule.executor)
      let kind = Int.random(in: 0..<6, using: &generator)
      let turns = Int.random(in: 0...40, using: &generator)
      let task = Task(executorPreference: schedule.executor) {
        switch kind {
        case 0: await Self.drain(cache.observe(Ref<Node>(0)))
        case 1: await Self.drain(cache.observe([0, 1, 2] as [Ref<Node>]))
        case 2: await Self.drain(cache.observe(Ref<Node>(0).related(\.links)))
        case 3: await Self.drain(cache.observe(Ref<Node>(0).graph(.generations(4))))
        case 4: await Self.drain(cache.observe(Node.self))
        default: await Self.drain(cache.observeAll())
        }
      }
      for turn in 0..<turns {
        if turn % 7 == 3 { try await cache.put(Node(id: turn % 6, value: turn)) }
        if turn % 11 == 5 { await cache.invalidate(Ref<Node>(turn % 6)) }
        await Task.yield()
      }
      task.cancel()
      await task.value
      await schedule.waitUntilIdle()
      let statistics = cache.statistics
      try verifyEqual(statistics.observers, 0, "observers")
      try verifyEqual(statistics.waitingObservers, 0, "waiting observers")
      try verifyEqual(statistics.waiters, 0, "waiters")
      try verifyEqual(statistics.batchesInFlight, 0, "batches")
      try verifyEqual(statistics.traversals, 0, "traversals")
      try verifyEqual(statistics.leases, 0, "leases")
      try verifyEqual(await cache.audit(), [], "the audit")
    }
  }

  /// Iterates to the end, and continues after failures.
  private static func drain<S: AsyncSequence>(_ changes: S) async where S.Failure == any Error {
    var iterator = changes.makeAsyncIterator()
    while true {
      do {
        if try await iterator.next(isolation: #isolation) == nil { return }
      } catch {}
    }
  }

  @Test func `an ended observer keeps no record alive`() async throws {
    struct Held: GraphRecord {
      let id: Int
      var payload: Tracked<Int>
    }
    let tracker = LifetimeTracker()
    let cache = try GraphCache(for: Held.self)
    do {
      var changes = cache.observe(Held.self).makeAsyncIterator()
      for number in 0..<100 {
        try await cache.put(Held(id: number % 10, payload: tracker.track(number)))
      }
      _ = try await changes.next()
      for number in 0..<100 {
        try await cache.put(Held(id: number % 10, payload: tracker.track(number)))
      }
      // At most one mark for each record, however many writes.
      #expect(tracker.liveCount == 20)
    }
    #expect(tracker.liveCount == 10)
    await cache.removeAll()
    #expect(tracker.liveCount == 0)
  }

  @Test func `repeated observation and cancellation leave nothing behind`() async throws {
    let cycles = try Effort().operations(3_000)
    let cache = try GraphCache(
      for: Node.self, store: MemoryStore((0..<16).map { Node(id: $0) }), capacity: 8)
    // The first cycles fill the allocator's pools.
    try await cycle(cache, min(cycles, 2_000))
    let before = Self.residentPages
    try await cycle(cache, cycles)
    let grown = (Self.residentPages - before) * 4096
    #expect(grown < 16 << 20, "memory grew by \(grown) bytes over \(cycles) cycles")
    #expect(cache.statistics.observers == 0)
    #expect(cache.statistics.waitingObservers == 0)
    #expect(await cache.audit() == [])
  }

  private func cycle(_ cache: GraphCache, _ count: Int) async throws {
    for number in 0..<count {
      let ref = Ref<Node>(number % 16)
      let task = Task {
        switch number % 4 {
        case 0: await Self.drain(cache.observe(ref))
        case 1: await Self.drain(cache.observe([ref, Ref(1)]))
        case 2: await Self.drain(cache.observe(ref.graph()))
        default: await Self.drain(cache.observe(Node.self))
        }
      }
      if number % 3 == 0 { await Task.yield() }
      try await cache.put(Node(id: number % 16, value: number))
      task.cancel()
      await task.value
    }
  }

  /// How many pages of memory the process occupies; 0 where the system does not say.
  private static var residentPages: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return 0
    }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
