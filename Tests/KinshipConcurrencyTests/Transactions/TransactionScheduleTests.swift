import Kinship
import KinshipTestSupport
import Testing

@testable import KinshipTrials

/// Transactions of several tasks at once, among loads, graphs, evictions and direct writes, in
/// every order that a schedule can choose.
struct TransactionScheduleTests {
  /// Transactions are serial: no update is lost if a transaction reads what it writes.
  @Test(arguments: Library.Placement.allCases)
  func `a counter counts every transaction`(placement: Library.Placement) throws {
    try Schedule.explore(seeds: 60) { schedule in
      let library = try await Library(
        LongTransaction.world, placement,
        script: .random(StoreFaults(failure: schedule.seed % 2 == 0 ? 0.2 : 0)),
        seed: schedule.seed, capacity: placement == .memory ? .max : 1, executor: schedule.executor)
      let ref = Author<Int>.ref(0)
      let count = Lock(0)
      try await Self.run(6, schedule) { number in
        do {
          try await library.cache.write { tx in
            switch number % 3 {
            case 0: tx[ref]?.value += 1
            case 1: try tx.update(ref) { $0.value += 1 }
            default: try tx.update(ref, \.value, to: (tx[ref]?.value ?? 0) + 1)
            }
          }
          count.withLock { $0 += 1 }
        } catch KinshipError.commitFailed(let cause) where cause is ScriptedFailure {
        } catch KinshipError.fetchFailed(_, _, let cause) where cause is ScriptedFailure {}
      }
      var expected = LongTransaction.world
      expected[Key(.author, 0)]?.value += count.withLock { $0 }
      try await library.verify(expected)
      try await library.verifyIdle()
    }
  }

  /// A record in memory is read in its old version, without a wait, while the store is slow to
  /// commit.
  @Test func `reads during a slow commit see the old version`() throws {
    try Schedule.explore(seeds: 20) { schedule in
      let gate = Gate()
      let library = try await Library(
        LongTransaction.world, .both,
        script: StoreScript { call, _ in
          StoreBehavior(pause: call.kind == .apply ? .gate(gate) : .none)
        }, executor: schedule.executor)
      let writing = Task(executorPreference: schedule.executor) {
        try await library.write(LongTransaction.steps)
      }
      await schedule.waitUntilIdle()
      let before = library.store?.calls.count
      try verifyEqual(library.inMemory, LongTransaction.world.normalized, "memory meanwhile")
      for key in LongTransaction.world.keys.sorted() { try await library.find(key) }
      let refs = (0..<5).map { Author<Int>.ref($0) }
      let authors = try await library.cache.resolve(refs)
      try verifyEqual(
        authors.map(\.entry), (0..<5).map { LongTransaction.world[Key(.author, $0)] },
        "the authors meanwhile")
      let graph = try await library.cache.graph(of: refs[1], .generations(3))
      try verify(graph.records(of: Author<Int>.self).allSatisfy { $0.value == 1 }, "a new author")
      try verifyEqual(library.store?.calls.count, before, "calls to the store")
      gate.open()
      _ = try await writing.value
      try await library.verify(LongTransaction.after())
      await schedule.waitUntilIdle()
      try await library.verifyIdle()
    }
  }

  /// Every transaction gives all authors one value: a reader of several sees one value.
  @Test(arguments: [Library.Placement.store, .half, .both])
  func `no reader sees half a transaction`(placement: Library.Placement) throws {
    try Schedule.explore(seeds: 80) { schedule in
      let trial = try await EqualValuesTrial(schedule, placement)
      try await Self.run(6, schedule) { number in try await trial.run(client: number) }
      try await trial.library.verifyIdle()
      try verifyEqual(Set(trial.library.stored.values.map(\.value)).count, 1, "values at rest")
      for (key, entry) in trial.library.inMemory {
        try verifyEqual(entry, trial.library.stored[key], "\(key) in memory")
      }
    }
  }

  /// No transaction links to a missing record, and deletions follow the rules: no ref dangles.
  @Test(arguments: [Library.Placement.store, .half])
  func `no ref dangles when records are dropped meanwhile`(placement: Library.Placement) throws {
    try Schedule.explore(seeds: 100) { schedule in
      let trial = try await LinkingTrial(schedule, placement)
      try await Self.run(4, schedule) { number in try await trial.run(client: number) }
      try trial.verifyLinks()
      try await trial.library.verify(trial.library.stored)
      try await trial.library.verifyIdle()
    }
  }

  /// At the end, every record that was not written past the store is in memory as in the store.
  @Test(arguments: [0, 0.2])
  func `memory agrees with the store at the end`(failure: Double) throws {
    try Schedule.explore(seeds: 100) { schedule in
      let trial = try await ChaosTrial(schedule, failure: failure)
      try await Self.run(5, schedule) { number in try await trial.run(client: number) }
      try await trial.verify()
    }
  }

  /// Runs tasks concurrently, and waits until all are idle.
  private static func run(
    _ count: Int, _ schedule: Schedule, _ body: @escaping @Sendable (Int) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup { group in
      for number in 0..<count { group.addTask { try await body(number) } }
      try await group.waitForAll()
    }
    await schedule.waitUntilIdle()
  }
}
