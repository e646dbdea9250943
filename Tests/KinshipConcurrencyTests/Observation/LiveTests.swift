import Foundation
import Kinship
import KinshipTestSupport
import Observation
import Synchronization
import KinshipTestTraits
import Testing

/// Live values on the main actor.
@Suite(.boundedWaits)
@MainActor
struct LiveTests {
  private typealias Node = TestNode<Int>

  @Test func `a live value has the record in memory at once`() async throws {
    let cache = try GraphCache(for: Node.self)
    try await cache.put(contentsOf: (1...3).map { Node(id: $0, value: $0, links: [Ref($0 + 1)]) })
    let record = Live(cache, Ref<Node>(1))
    #expect(record.value?.value == 1)
    #expect(!record.isLoading)
    let list = Live(cache, [1, 2] as [Ref<Node>])
    #expect(list.value.map(\.id) == [1, 2])
    let related = Live(cache, Ref<Node>(1).related(\.links))
    #expect(related.value.map(\.id) == [2])
    let graph = Live(cache, Ref<Node>(1).graph(.generations(2)))
    #expect(graph.value?.count == 3)
    #expect(!graph.isLoading)
  }

  @Test func `a live value follows its record and notifies observers`() async throws {
    let cache = try GraphCache(for: Node.self, store: MemoryStore([Node(id: 1, value: 1)]))
    let live = Live(cache, Ref<Node>(1))
    #expect(live.value == nil)
    #expect(live.isLoading)
    try await wait { live.value?.value == 1 }
    #expect(!live.isLoading)
    let isTold = Atomic(false)
    withObservationTracking {
      _ = live.value
    } onChange: {
      isTold.store(true, ordering: .relaxed)
    }
    try await cache.put(Node(id: 1, value: 2))
    try await wait { live.value?.value == 2 }
    let wasTold = isTold.load(ordering: .relaxed)
    #expect(wasTold)
  }

  @Test func `a live value follows sections`() async throws {
    let cache = try GraphCache(for: Node.self)
    try await cache.put(contentsOf: (1...6).map { Node(id: $0, value: $0 % 3) })
    let query = RecordQuery<Node>().sorted(by: \.id, .descending)
    let live = Live(cache, query.sections(by: \.value))
    let backwards = Live(cache, query.sections(by: \.value, .descending))
    try await wait { live.value.count == 3 && backwards.value.count == 3 }
    #expect(live.value.map(\.key) == [0, 1, 2])
    #expect(backwards.value.map(\.key) == [2, 1, 0])
    #expect(live.value.map { $0.map(\.id) } == [[6, 3], [4, 1], [5, 2]])
    try await cache.put(Node(id: 4, value: 7))
    try await wait { live.value.count == 4 }
    #expect(live.value.map { $0.map(\.id) } == [[6, 3], [1], [5, 2], [4]])
  }

  @Test func `a live value ends when it is released`() async throws {
    let cache = try GraphCache(for: Node.self)
    var live: Live<Node?>? = Live(cache, Ref<Node>(1))
    weak let dropped = live
    try await wait { cache.statistics.observers == 1 && cache.statistics.waitingObservers == 1 }
    #expect(live?.value == nil)
    live = nil
    #expect(dropped == nil)
    try await wait { cache.statistics.observers == 0 }
    #expect(await cache.audit() == [])
  }

  /// Has the actor drop records between the first value and the first observation.
  private func live<Value>(
    _ make: (GraphCache) -> Live<Value>, afterwardsForgetting refs: [Ref<Node>]
  ) async throws -> Live<Value> {
    let store = ScriptedStore(
      over: MemoryStore(),
      script: .always(StoreBehavior(failure: ScriptedFailure(call: 0))))
    let cache = try GraphCache(for: Node.self, store: store)
    try await cache.put(contentsOf: (1...3).map { Node(id: $0, value: $0, links: [Ref($0 + 1)]) })
    let (isBusy, isMade) = (Gate(), Gate())
    let forgetting = Task.detached {
      await cache.perform { cache in
        isBusy.open()
        while !isMade.isOpen { sched_yield() }
        for ref in refs { cache.invalidate(ref) }
      }
    }
    // The test awaits nothing while a thread of the pool is blocked, because others may block the
    // rest.
    while !isBusy.isOpen { sched_yield() }
    let live = make(cache)
    isMade.open()
    await forgetting.value
    try await wait { live.error != nil }
    #expect(!live.isLoading)
    return live
  }

  @Test func `a live record stays if it cannot be reloaded`() async throws {
    let record = try await live({ Live($0, Ref<Node>(1)) }, afterwardsForgetting: [1])
    #expect(record.value?.value == 1)
    record.retry()
    #expect(record.value?.value == 1)
    #expect(record.isLoading)
    try await wait { record.error != nil }
    #expect(record.value?.value == 1)
  }

  @Test func `a live list stays if it cannot be reloaded`() async throws {
    let whole = try await live({ Live($0, [1, 2] as [Ref<Node>]) }, afterwardsForgetting: [1])
    #expect(whole.value.map(\.id) == [1, 2])
    let part = try await live({ Live($0, [1, 2, 9] as [Ref<Node>]) }, afterwardsForgetting: [1])
    #expect(part.value.map(\.id) == [1, 2])
    let related = try await live(
      { Live($0, Ref<Node>(1).related(\.links)) }, afterwardsForgetting: [1, 2])
    #expect(related.value.map(\.id) == [2])
  }

  @Test func `a live graph stays if it cannot be reloaded`() async throws {
    let graph = try await live(
      { Live($0, Ref<Node>(1).graph(.generations(1))) }, afterwardsForgetting: [2])
    #expect(graph.value?.count == 2)
  }

  @Test func `a failed live value can be retried`() async throws {
    let store = ScriptedStore(
      over: MemoryStore([Node(id: 1, value: 1)]),
      script: .plain.onCall(0, StoreBehavior(failure: ScriptedFailure(call: 0))))
    let cache = try GraphCache(for: Node.self, store: store)
    let live = Live(cache, Ref<Node>(1))
    try await wait { live.error != nil }
    #expect(!live.isLoading)
    live.retry()
    #expect(live.error == nil)
    try await wait { live.value?.value == 1 }
  }
}
