import Foundation
import KinshipTestSupport
import Observation
import Synchronization
import Testing

@testable import Kinship

/// Rows that load as they are shown.
@MainActor
struct LiveResultsTests {
  private typealias Node = TestNode<Int>

  private static var byID: RecordQuery<Node> { RecordQuery<Node>().sorted(by: \.id) }

  private func store(_ script: StoreScript = .plain) -> ScriptedStore {
    ScriptedStore(
      over: MemoryStore((0..<100).map { Node(id: $0, value: $0) }), script: script)
  }

  @Test func `a row is a placeholder until it has loaded`() async throws {
    let cache = try GraphCache(for: Node.self, store: store())
    let live = LiveResults(cache, Self.byID, windowSize: 10)
    #expect(live.count == 0 && live.isLoading && live[0] == nil)
    let isCounted = Atomic(false)
    withObservationTracking {
      _ = live.count
    } onChange: {
      isCounted.store(true, ordering: .relaxed)
    }
    try await wait { live.count == 100 }
    #expect(isCounted.load(ordering: .relaxed) && !live.isLoading)
    let isTold = Atomic(false)
    withObservationTracking {
      #expect(live[42] == nil)
    } onChange: {
      isTold.store(true, ordering: .relaxed)
    }
    try await wait { isTold.load(ordering: .relaxed) && live[42] != nil }
    #expect(live[42]?.value == 42)
    #expect(live[100] == nil && live[-1] == nil)
    #expect(live.error == nil)
  }

  @Test func `a failure is shown and retried only on request`() async throws {
    let failure = StoreBehavior(failure: ScriptedFailure(call: 0))
    let store = store(.plain.onCall(0, failure).onCall(2, failure).onCall(4, failure))
    let cache = try GraphCache(for: Node.self, store: store)
    let live = LiveResults(cache, Self.byID, windowSize: 10, readAhead: 0)
    live.retry()
    try await wait { live.error != nil }
    #expect(!live.isLoading)
    live.retry()
    try await wait { live.count == 100 }
    #expect(live[5] == nil)
    try await wait { live.error != nil }
    #expect(live[5] == nil)
    #expect(live[55] == nil)
    #expect(store.calls.count == 3)
    live.retry()
    try await wait { live[5] != nil }
    #expect(live.error == nil)
    live.refresh()
    try await wait { live.error != nil }
    #expect(live[5]?.value == 5)
    live.retry()
    #expect(live.isLoading)
    try await wait { !live.isLoading }
    #expect(live.error == nil)
  }

  /// A reader of a row learns why it does not load, even if the failure is immediate.
  @Test func `a failure is shown even if it comes at once`() async throws {
    for _ in 0..<20 {
      let store = store(.plain.onCall(1, StoreBehavior(failure: ScriptedFailure(call: 1))))
      let cache = try GraphCache(for: Node.self, store: store)
      let live = LiveResults(cache, Self.byID, windowSize: 10, readAhead: 0)
      try await wait { live.count == 100 }
      #expect(live[5] == nil)
      // The main actor does nothing else until the store has failed.
      while store.calls.count < 2 || store.inFlight > 0 { sched_yield() }
      usleep(200)
      try await wait { live.error != nil }
      #expect(store.calls.count == 2)
    }
  }

  @Test func `a row stays until its new value has loaded`() async throws {
    let gate = Gate()
    let store = store()
    let cache = try GraphCache(for: Node.self, store: store)
    let live = LiveResults(cache, Self.byID, windowSize: 10, readAhead: 0)
    try await wait { live[3] != nil }
    try await cache.write { tx in try tx.delete(Ref<Node>(0)) }
    #expect(live[3]?.id == 3)
    live.refresh()
    try await wait { !live.isLoading }
    store.follow(.always(StoreBehavior(pause: .gate(gate))))
    #expect(live.count == 99)
    #expect(live[3]?.id == 3)
    gate.open()
    try await wait { live[3]?.id == 4 }
  }

  @Test func `live results end when they are released`() async throws {
    let store = store(.plain.onCall(1, StoreBehavior(pause: .cancellation)))
    let cache = try GraphCache(for: Node.self, store: store)
    var live: LiveResults<Node>? = LiveResults(cache, Self.byID, windowSize: 10)
    weak let dropped = live
    try await wait { live?.count == 100 }
    _ = live?[0]
    try await wait { store.inFlight == 1 }
    live = nil
    #expect(dropped == nil)
    try await wait { store.inFlight == 0 }
    #expect(store.cancellations == 1)
  }
}
