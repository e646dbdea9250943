import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import KinshipTrials

/// Law T1: all or nothing, wherever a transaction stops.
@Suite(.dedicatedThreads, .boundedWaits, .tags(.lawT1))
struct AtomicityTests {
  private struct Stop: Error {}

  /// The closure throws after each number of steps.
  @Test(arguments: Library.Placement.allCases)
  func `a transaction that throws leaves everything as it was`(placement: Library.Placement)
    async throws
  {
    let steps = LongTransaction.steps
    for count in 0...steps.count {
      let library = try await Library(LongTransaction.world, placement)
      let before = await library.state
      func fail() async throws {
        await #expect(throws: Stop.self) {
          try await library.cache.write { tx in
            for step in steps.prefix(count) {
              _ = try CacheBesideModel<Int>.perform(step, in: &tx)
            }
            throw Stop()
          }
        }
      }
      try await fail()
      try await library.verify(LongTransaction.world)
      let after = await library.state
      if placement == .memory { try verifyEqual(after, before, "the state, \(count) steps") }
      // If everything it needs is in memory, a failure leaves no trace.
      try await fail()
      try verifyEqual(await library.state, after, "the state the second time, \(count) steps")
      try verifyEqual(library.log.take(), [], "the removals, \(count) steps")
      try await library.write(steps)
      try await library.verify(LongTransaction.after())
    }
  }

  /// Each call to the store fails in turn, until there is none left to fail.
  @Test(arguments: [Library.Placement.store, .half, .both])
  func `a transaction that the store fails leaves everything as it was`(
    placement: Library.Placement
  ) async throws {
    var kinds: Set<StoreCall.Kind> = []
    for number in 0... {
      let library = try await Library(LongTransaction.world, placement)
      let store = try #require(library.store)
      let first = store.calls.count
      store.follow(
        StoreScript { call, _ in
          StoreBehavior(
            failure: call.number == first + number ? ScriptedFailure(call: number) : nil)
        })
      let before = library.cache.statistics
      do {
        try await library.write(LongTransaction.steps)
        break
      } catch KinshipError.commitFailed(let cause) where cause is ScriptedFailure {
      } catch KinshipError.fetchFailed(_, _, let cause) where cause is ScriptedFailure {}
      kinds.formUnion(store.calls[first...].map(\.kind))
      try await library.verify(LongTransaction.world)
      try verifyUntouched(before, library)
      store.follow(.plain)
      try await library.write(LongTransaction.steps)
      try await library.verify(LongTransaction.after())
    }
    #expect(kinds.isSuperset(of: [.apply, .referrers]))
  }

  /// Each call to the store hangs in turn, until the writer gives up.
  @Test(arguments: [Library.Placement.store, .half, .both])
  func `a transaction cancelled while the store hangs changes nothing`(placement: Library.Placement)
    throws
  {
    for number in 0..<40 {
      let isOver = try Schedule.run(seed: UInt64(number)) { schedule in
        let library = try await Library(
          LongTransaction.world, placement, executor: schedule.executor)
        guard let store = library.store else { return true }
        let first = store.calls.count
        store.follow(.plain.onCall(first + number, StoreBehavior(pause: .cancellation)))
        let before = library.cache.statistics
        let writing = Task(executorPreference: schedule.executor) {
          try await library.write(LongTransaction.steps)
        }
        await schedule.waitUntilIdle()
        let isOver = store.calls.count <= first + number
        writing.cancel()
        do {
          _ = try await writing.value
          try verify(isOver, "call \(number) did not hang")
        } catch is CancellationError {
          try await library.verify(LongTransaction.world)
          try verifyUntouched(before, library)
          store.follow(.plain)
          try await library.write(LongTransaction.steps)
        }
        try await library.verify(LongTransaction.after())
        await schedule.waitUntilIdle()
        try await library.verifyIdle()
        return isOver
      }
      if isOver { return }
    }
    Issue.record("the transaction makes more than 40 calls")
  }

  /// The writer is cancelled after each number of turns, in many orders of everything.
  @Test(arguments: Library.Placement.allCases)
  func `a cancelled writer writes all or nothing`(placement: Library.Placement) throws {
    let outcomes = Lock<Set<Bool>>([])
    try Schedule.explore(seeds: 60) { schedule in
      let library = try await Library(
        LongTransaction.world, placement, script: .random(), seed: schedule.seed,
        executor: schedule.executor)
      let before = library.cache.statistics
      let writing = Task(executorPreference: schedule.executor) {
        try await library.write(LongTransaction.steps)
      }
      for _ in 4..<schedule.seed * 4 { await Task.yield() }
      writing.cancel()
      do {
        _ = try await writing.value
        outcomes.withLock { _ = $0.insert(true) }
        try await library.verify(LongTransaction.after())
      } catch is CancellationError {
        outcomes.withLock { _ = $0.insert(false) }
        try await library.verify(LongTransaction.world)
        try verifyUntouched(before, library)
      }
      await schedule.waitUntilIdle()
      try await library.verifyIdle()
    }
    if try Effort().scale >= 1 { #expect(outcomes.withLock { $0 } == [true, false]) }
  }

  /// Some records may have been loaded, but nothing was written, and no observer was notified.
  private func verifyUntouched(_ before: GraphCache.Statistics, _ library: Library) throws {
    let after = library.cache.statistics
    try verifyEqual(after.replacements, before.replacements, "replacements")
    try verifyEqual(after.removals, before.removals, "removals")
    try verifyEqual(after.invalidations, before.invalidations, "invalidations")
    try verifyEqual(after.evictions, before.evictions, "evictions")
    try verifyEqual(library.log.take(), [], "what the listener heard")
  }

  /// A large write reaches memory in chunks.
  ///
  /// A peek in between sees all of it.
  @Test func `a listener sees all of a write that is applied in chunks`() async throws {
    typealias Node = TestNode<Int>
    let count = Chunk.size * 2
    let nodes = (0..<count).map { Node(id: $0) }
    let cache = try GraphCache(for: Node.self, store: MemoryStore(nodes))
    _ = try await cache.find(RecordQuery<Node>())
    let last = Ref<Node>(count - 1)
    let seen = Lock<Set<Int?>>([])
    let subscription = cache.onRemoval { [weak cache] _ in
      let value = cache?.peek(last)?.value
      _ = seen.withLock { $0.insert(value) }
    }
    try await cache.writeOptimistically { tx in
      for id in 0..<count { try tx.update(Ref<Node>(id), \.value, to: 1) }
    }.outcome()
    subscription.cancel()
    #expect(seen.withLock { $0 } == [1])
  }
}
