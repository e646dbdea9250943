import KinshipTesting
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// Results whose records load as they are read.
@Suite(.tags(.lawQ2))
struct ResultsTests {
  struct Entry: GraphRecord, Equatable {
    let id: Int
    var name: String { String(id % 97) }
  }

  /// The requests to a store.
  struct Tally: Equatable {
    var counts = 0
    var calls = 0
    var records = 0
    /// The number of skipped records.
    var skipped = 0
  }

  final class Counting: ForwardingStore {
    let base: any BackingStore
    private let state = Lock(Tally())

    init(_ base: any BackingStore) { self.base = base }

    func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
      state.withLock { $0.counts += 1 }
      return try await base.count(query)
    }

    func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      let records = try await base.fetch(query)
      state.withLock {
        $0.calls += 1
        $0.records += records.count
        $0.skipped += query.offset
      }
      return records
    }

    func take() -> Tally {
      state.withLock { tally in
        defer { tally = Tally() }
        return tally
      }
    }
  }

  private static let byName = RecordQuery<Entry>().sorted(by: \.name)

  private func cache(_ count: Int) throws -> (GraphCache, Counting) {
    let store = Counting(MemoryStore((0..<count).map { Entry(id: $0) }))
    return (try GraphCache(for: Entry.self, store: store, capacity: 1_000), store)
  }

  @Test func `twenty rows cost twenty records and a count`() async throws {
    let (cache, store) = try cache(10_000)
    let results = try await cache.results(Self.byName, windowSize: 20, readAhead: 0)
    #expect(store.take() == Tally(counts: 1))
    for index in 0..<20 { _ = try await results[index] }
    #expect(store.take() == Tally(calls: 1, records: 20))
    #expect(results.count == 10_000)
    #expect(try await results[9_999] != nil)
    #expect(store.take() == Tally(calls: 1, records: 20))
    // A row far from all loaded ones, and then one next to it.
    _ = try await results[5_000]
    #expect(store.take() == Tally(calls: 1, records: 20, skipped: 4_960))
    _ = try await results[5_020]
    _ = try await results[4_999]
    #expect(store.take() == Tally(calls: 2, records: 40))
  }

  @Test(arguments: [true, false])
  func `scrolling takes one call for each window`(isBackwards: Bool) async throws {
    let (cache, store) = try cache(1_000)
    let results = try await cache.results(Self.byName, windowSize: 50, windowCapacity: 3)
    _ = store.take()
    for index in isBackwards ? (0..<1_000).reversed() : Array(0..<1_000) {
      _ = try await results[index]
      guard index % 50 == (isBackwards ? 10 : 40), index != (isBackwards ? 10 : 990) else {
        continue
      }
      // The next window loads before it is read.
      try await wait { results.peek(index + (isBackwards ? -30 : 30)) != nil }
    }
    let tally = store.take()
    #expect(tally.calls == 20)

    #expect(tally.records == 1_000)
    #expect(tally.skipped == 0)
    #expect(!isBackwards || results.peek(999) == nil)
  }

  @Test func `a row outside the results is nil`() async throws {
    let (cache, store) = try cache(10)
    let results = try await cache.results(RecordQuery<Entry>())
    for index in [-1, 10, .min, .max] {
      #expect(try await results[index] == nil)
      #expect(results.peek(index) == nil)
    }
    #expect(store.take() == Tally(counts: 1))
    try await cache.write { tx in for id in 3..<10 { try tx.delete(Ref<Entry>(id)) } }
    #expect(try await results[2] != nil)
    #expect(try await results[3] == nil)
    #expect(results.count == 10)
    try await results.refresh()
    #expect(results.count == 3)
    #expect(try await results[2] != nil)
  }

  // MARK: Many readers, failures, cancellation

  private func scripted(
    _ script: StoreScript
  ) throws -> (GraphCache, ScriptedStore) {
    let store = ScriptedStore(over: MemoryStore((0..<100).map { Entry(id: $0) }), script: script)
    return (try GraphCache(for: Entry.self, store: store), store)
  }

  /// The first call counts the records, because the store cannot.
  @Test func `a window loads once for all readers`() async throws {
    let gate = Gate()
    let (cache, store) = try scripted(.plain.onCall(1, StoreBehavior(pause: .gate(gate))))
    let results = try await cache.results(Self.byName, windowSize: 10, readAhead: 0)
    let readers = (0..<50).map { number in Task { try await results[number % 10] } }
    try await store.waitForCalls(2)
    readers[7].cancel()
    await #expect(throws: CancellationError.self) { try await readers[7].value }
    gate.open()
    for (number, reader) in readers.enumerated() where number != 7 {
      #expect(try await reader.value != nil)
    }
    #expect(store.calls.count == 2)
  }

  @Test func `a cancelled reader does not disturb the others`() async throws {
    let gate = Gate()
    let (cache, store) = try scripted(.plain.onCall(1, StoreBehavior(pause: .gate(gate))))
    let results = try await cache.results(Self.byName, windowSize: 10, readAhead: 0)
    let reader = Task { try await results[0] }
    try await store.waitForCalls(2)
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    gate.open()
    #expect(try await results[1] != nil)
    #expect(store.calls.count == 2)
  }

  @Test func `a failed window is requested again`() async throws {
    let failure = StoreBehavior(failure: ScriptedFailure(call: 0))
    let (cache, _) = try scripted(.plain.onCall(1, failure).onCall(3, failure).onCall(4, failure))
    let results = try await cache.results(Self.byName, windowSize: 10, readAhead: 0)
    for isFailure in [true, false] {
      do {
        #expect(try await results[5] != nil)
        #expect(!isFailure)
      } catch KinshipError.fetchFailed(let type, _, let cause) {
        #expect(isFailure && type == Entry.recordName && cause is ScriptedFailure)
      }
    }
    // If the new count fails, everything stays as it was.
    await #expect(throws: KinshipError.self) { try await results.refresh() }
    #expect(results.count == 100)
    #expect(results.peek(5) != nil)
    // In order, the failed row comes next.
    var iterator = results.makeAsyncIterator()
    await #expect(throws: KinshipError.self) { try await iterator.next() }
    #expect(try await iterator.next() == results.peek(0))
  }

  @Test func `a reader during a new count gets the new record`() async throws {
    let gate = Gate()
    let (cache, store) = try scripted(
      .plain.onCall(1, StoreBehavior(pause: .gateIgnoringCancellation(gate))))
    let results = try await cache.results(RecordQuery<Entry>().sorted(by: \.id), windowSize: 10)
    let reader = Task { try await results[0] }
    try await store.waitForCalls(2)
    try await cache.write { tx in try tx.delete(Ref<Entry>(0)) }
    try await results.refresh()
    gate.open()
    #expect(try await reader.value?.id == 1)
    #expect(results.count == 99)
    #expect(results.peek(0)?.id == 1)
  }

  @Test func `a window is not loaded for released results`() async throws {
    let (cache, store) = try scripted(.plain.onCall(1, StoreBehavior(pause: .cancellation)))
    var results: QueryResults<Entry>? = try await cache.results(Self.byName, windowSize: 10)
    weak let dropped = results
    _ = results?.ask(for: 0)
    try await store.waitForCalls(2)
    results = nil
    #expect(dropped == nil)
    try await wait { store.inFlight == 0 }
    #expect(store.cancellations == 1)
  }

  /// Many readers and one that refreshes, in every order of their steps.
  @Test func `readers are served in any order`() throws {
    try Schedule.explore(seeds: 100) { schedule in
      let store = ScriptedStore(
        over: MemoryStore((0..<60).map { Entry(id: $0) }),
        script: StoreScript { call, random in
          StoreBehavior(
            pause: .yields(Int.random(in: 0...5, using: &random)),
            failure: call.number > 0 && call.number % 7 == 0
              ? ScriptedFailure(call: call.number) : nil)
        }, seed: schedule.seed)
      let cache = try GraphCache(for: Entry.self, store: store, executor: schedule.executor)
      let results = try await cache.results(
        RecordQuery<Entry>().sorted(by: \.id), windowSize: 7, windowCapacity: 3)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for reader in 0..<5 {
          group.addTask {
            var random = SplitMix64(
              seed: SplitMix64.subseed(UInt64(reader), of: schedule.seed))
            for step in 0..<8 {
              let index = Int.random(in: 0..<60, using: &random)
              do {
                try verifyEqual(try await results[index]?.id, index, "position \(index)")
                if reader == 4, step == 4 { try await results.refresh() }
              } catch KinshipError.fetchFailed {}
            }
          }
        }
        try await group.waitForAll()
      }
      await schedule.waitUntilIdle()
      try verify(store.inFlight == 0, "something is still loaded")
    }
  }
}
