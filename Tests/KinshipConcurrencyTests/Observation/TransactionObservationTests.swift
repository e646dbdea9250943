import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipTrials

/// The laws of observation for transactions, some of which fail, and for optimistic writes, some of
/// which the store refuses.
@Suite(.boundedWaits, .tags(.lawO1, .lawO2))
struct TransactionObservationTests {
  @Test func `observers see whole transactions`() throws {
    try check(
      seeds: 120, TransactionCommand.transactions, faults: StoreFaults(failure: 0.2),
      comparesAll: true)
  }

  /// The chronicle cannot list each step of a re-run of later writes, so the test checks the last
  /// version and the sum of the differences.
  @Test func `observers end on the version that the store has`() throws {
    try check(
      seeds: 120, TransactionCommand.shownWrites, faults: StoreFaults(failure: 0.25),
      comparesAll: false)
  }

  private func check(
    seeds: Int, _ generate: (inout SplitMix64) -> TransactionCommand, faults: StoreFaults,
    comparesAll: Bool
  ) throws {
    var tally = Chronicle.Tally()
    try Property.check(seeds: seeds, steps: 40, generate: generate) { commands, seed in
      tally += try Schedule.run(seed: seed, limit: 1_000_000) { schedule in
        try await Self.run(commands, faults, schedule, comparesAll)
      }
    }
    try verify(tally.made > 0 && tally.refused > 0, "a store that makes or refuses all: \(tally)")
  }

  private static func run(
    _ commands: [TransactionCommand], _ faults: StoreFaults, _ schedule: Schedule,
    _ comparesAll: Bool
  ) async throws -> Chronicle.Tally {
    var generator = SplitMix64(seed: schedule.seed)
    var world: [Key: Entry] = [:]
    for key in Key.all where generator.chance(0.7) {
      world[key] = Entry.random(using: &generator).normalized(key.kind)
    }
    let chronicle = Chronicle(Versions(world), faults: faults, seed: generator.next())
    let cache = try GraphCache(
      for: Author<Int>.self, Work<Int>.self, store: chronicle,
      capacity: [0, 1, 3, 8, .max].randomElement(using: &generator) ?? 1,
      fetching: FetchLimits(batchSize: [1, 3, .max].randomElement(using: &generator) ?? 1),
      executor: schedule.executor)
    chronicle.watch(cache)
    defer { chronicle.close() }
    try await withThrowingTaskGroup { group in
      var probes: [ObserverProbe] = []
      for kind in ObserverProbe.Kind.allCases {
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
          let number = Int.random(in: Key.numbers, using: &generator)
          let turns = Int.random(in: 0...30, using: &generator)
          let probe = ObserverProbe(
            "\(kind) of \(number)", chronicle.versions, comparesAll: comparesAll)
          probes.append(probe)
          group.addTask { await probe.follow(kind, of: number, cache, limit: .max, turns: turns) }
        }
      }
      try await withThrowingTaskGroup { writers in
        for client in 0..<3 {
          let own = commands.enumerated().filter { $0.offset % 3 == client }
          writers.addTask {
            for (number, command) in own {
              try await command.perform(on: cache, chronicle, number: number)
              try verifyEqual(await cache.audit(), [], "the audit after \(command)")
            }
          }
        }
        try await writers.waitForAll()
      }
      await schedule.waitUntilIdle()
      try verifyMemory(cache, chronicle.versions.stored)
      for probe in probes { try probe.verify(chronicle.versions.stored) }
      let statistics = cache.statistics
      try verifyEqual(statistics.pendingWrites, 0, "pending writes")
      try verifyEqual(statistics.waitingObservers, probes.count, "observers that wait at rest")
      try verifyEqual(await cache.audit(), [], "the audit at rest")
      group.cancelAll()
      try await group.waitForAll()
    }
    let statistics = cache.statistics
    try verifyEqual(statistics.observers, 0, "the observers at the end")
    try verifyEqual(statistics.waiters, 0, "the waiters at the end")
    try verifyEqual(statistics.leases, 0, "the leases at the end")
    try verifyEqual(await cache.audit(), [], "the audit at the end")
    return chronicle.tally
  }

  /// Memory at rest equals the store.
  private static func verifyMemory(_ cache: GraphCache, _ stored: [Key: Entry]) throws {
    for number in Key.numbers {
      let (author, work) = (Key(.author, number), Key(.work, number))
      if let record = cache.peek(Author<Int>.ref(number)) {
        try verifyEqual(record.entry, stored[author], "\(author) in memory")
      }
      if let record = cache.peek(Work<Int>.ref(number)) {
        try verifyEqual(record.entry, stored[work]?.normalized(.work), "\(work) in memory")
      }
      let (isAuthorMissing, isWorkMissing) = cache.state.withLock { state in
        (
          state.map.isMissing(number, as: Author<Int>.self),
          state.map.isMissing(number, as: Work<Int>.self)
        )
      }
      try verify(!isAuthorMissing || stored[author] == nil, "\(author) is not missing")
      try verify(!isWorkMissing || stored[work] == nil, "\(work) is not missing")
    }
  }
}
