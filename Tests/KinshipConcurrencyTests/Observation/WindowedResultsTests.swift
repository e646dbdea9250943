import Foundation
import KinshipTestSupport
import Observation
import Synchronization
import Testing

@testable import Kinship

/// Rows that load as they are shown.
@MainActor
struct WindowedResultsTests {
  private typealias Node = TestNode<Int>

  private static var byID: RecordQuery<Node> { RecordQuery<Node>().sorted(by: \.id) }

  private func store(_ script: StoreScript = .plain) -> ScriptedStore {
    ScriptedStore(
      over: MemoryStore((0..<100).map { Node(id: $0, value: $0) }), script: script)
  }

  @Test func `a row is a placeholder until it has loaded`() async throws {
    let cache = try GraphCache(for: Node.self, store: store())
    let rows = WindowedResults(cache, Self.byID, windowSize: 10)
    #expect(rows.count == 0 && rows.isLoading && rows[0] == nil)
    let isCounted = Atomic(false)
    withObservationTracking {
      _ = rows.count
    } onChange: {
      isCounted.store(true, ordering: .relaxed)
    }
    try await wait { rows.count == 100 }
    #expect(isCounted.load(ordering: .relaxed) && !rows.isLoading)
    let isTold = Atomic(false)
    withObservationTracking {
      #expect(rows[42] == nil)
    } onChange: {
      isTold.store(true, ordering: .relaxed)
    }
    try await wait { isTold.load(ordering: .relaxed) && rows[42] != nil }
    #expect(rows[42]?.value == 42)
    #expect(rows[100] == nil && rows[-1] == nil)
    #expect(rows.error == nil)
  }

  @Test func `a failure is shown and retried only on request`() async throws {
    let failure = StoreBehavior(failure: ScriptedFailure(call: 0))
    let store = store(.plain.onCall(0, failure).onCall(2, failure).onCall(4, failure))
    let cache = try GraphCache(for: Node.self, store: store)
    let rows = WindowedResults(cache, Self.byID, windowSize: 10, readAhead: 0)
    rows.retry()
    try await wait { rows.error != nil }
    #expect(!rows.isLoading)
    rows.retry()
    try await wait { rows.count == 100 }
    #expect(rows[5] == nil)
    try await wait { rows.error != nil }
    #expect(rows[5] == nil)
    #expect(rows[55] == nil)
    #expect(store.calls.count == 3)
    rows.retry()
    try await wait { rows[5] != nil }
    #expect(rows.error == nil)
    rows.refresh()
    try await wait { rows.error != nil }
    #expect(rows[5]?.value == 5)
    rows.retry()
    #expect(rows.isLoading)
    try await wait { !rows.isLoading }
    #expect(rows.error == nil)
  }

  /// A reader of a row learns why it does not load, even if the failure is immediate.
  @Test func `a failure is shown even if it comes at once`() async throws {
    for _ in 0..<20 {
      let store = store(.plain.onCall(1, StoreBehavior(failure: ScriptedFailure(call: 1))))
      let cache = try GraphCache(for: Node.self, store: store)
      let rows = WindowedResults(cache, Self.byID, windowSize: 10, readAhead: 0)
      try await wait { rows.count == 100 }
      #expect(rows[5] == nil)
      // The main actor does nothing else until the store has failed.
      while store.calls.count < 2 || store.inFlight > 0 { sched_yield() }
      usleep(200)
      try await wait { rows.error != nil }
      #expect(store.calls.count == 2)
    }
  }

  @Test func `a row stays until its new value has loaded`() async throws {
    let gate = Gate()
    let store = store()
    let cache = try GraphCache(for: Node.self, store: store)
    let rows = WindowedResults(cache, Self.byID, windowSize: 10, readAhead: 0)
    try await wait { rows[3] != nil }
    try await cache.write { tx in try tx.delete(Ref<Node>(0)) }
    #expect(rows[3]?.id == 3)
    rows.refresh()
    try await wait { !rows.isLoading }
    store.follow(.always(StoreBehavior(pause: .gate(gate))))
    #expect(rows.count == 99)
    #expect(rows[3]?.id == 3)
    gate.open()
    try await wait { rows[3]?.id == 4 }
  }

  @Test func `windowed results end when they are released`() async throws {
    let store = store(.plain.onCall(1, StoreBehavior(pause: .cancellation)))
    let cache = try GraphCache(for: Node.self, store: store)
    var rows: WindowedResults<Node>? = WindowedResults(cache, Self.byID, windowSize: 10)
    weak let dropped = rows
    try await wait { rows?.count == 100 }
    _ = rows?[0]
    try await wait { store.inFlight == 1 }
    rows = nil
    #expect(dropped == nil)
    try await wait { store.inFlight == 0 }
    #expect(store.cancellations == 1)
  }
}
