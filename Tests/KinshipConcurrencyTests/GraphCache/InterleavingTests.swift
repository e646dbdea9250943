import Foundation
import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import KinshipTrials

/// Loads, writes, evictions, invalidations, cancellations and leases of several clients at once, in
/// every order that a schedule can choose.
@Suite(.dedicatedThreads, .tags(.lawL2))
struct InterleavingTests {
  @Test func `every answer was true at one moment, however calls interleave`() throws {
    try check(seeds: 250, faults: StoreFaults())
  }

  @Test func `a failing store leaves nothing behind`() throws {
    try check(seeds: 150, faults: StoreFaults(failure: 0.3, falseCancellation: 0.1))
  }

  @Test func `an unreadable record fails only its own waiters`() throws {
    try check(seeds: 200, faults: StoreFaults(failure: 0.05, illegibility: 0.2))
  }

  private func check(seeds: Int, faults: StoreFaults) throws {
    try Property.check(seeds: seeds, steps: 40, generate: ClientCommand.random) { commands, seed in
      try Schedule.run(seed: seed) { schedule in
        try await Self.run(commands, faults, schedule)
      }
    }
  }

  private static func run(
    _ commands: [ClientCommand], _ faults: StoreFaults, _ schedule: Schedule
  ) async throws {
    var generator = SplitMix64(seed: schedule.seed)
    var world: [Key: Entry] = [:]
    for number in Key.numbers where generator.chance(0.8) {
      world[Key(.author, number)] = .random(using: &generator)
      world[Key(.work, number)] = .random(using: &generator)
    }
    let versions = Versions(world)
    let store = ScriptedStore(
      over: versions.memory, script: .random(faults), followsPlans: generator.chance(0.5),
      seed: generator.next())
    let cache = try GraphCache(
      for: Author<Int>.self, Work<Int>.self, store: store,
      capacity: [0, 1, 3, .max].randomElement(using: &generator) ?? 1,
      fetching: FetchLimits(
        batchSize: Int.random(in: 1...3, using: &generator),
        concurrentBatches: Int.random(in: 1...3, using: &generator)),
      executor: schedule.executor)
    let subscription = cache.onRemoval { _ in }
    try await withThrowingTaskGroup { group in
      for number in 0..<4 {
        let own = commands.filter { $0.client == number }.map(\.operation)
        group.addTask {
          var client = CacheClient(cache: cache, versions: versions, executor: schedule.executor)
          for operation in own {
            try await client.perform(operation)
            try verifyEqual(await cache.audit(), [], "the audit after \(operation)")
          }
        }
      }
      try await group.waitForAll()
    }
    subscription.cancel()
    await schedule.waitUntilIdle()
    try await verifyRest(of: cache, versions)
  }

  /// No wait, lease or listener remains, and memory is correct.
  private static func verifyRest(of cache: GraphCache, _ versions: Versions) async throws {
    try verifyEqual(await cache.audit(), [], "the audit at rest")
    let statistics = cache.statistics
    try verifyEqual(statistics.waiters, 0, "waiters")
    try verifyEqual(statistics.batchesInFlight, 0, "batches in flight")
    try verifyEqual(statistics.traversals, 0, "traversals")
    try verifyEqual(statistics.leases, 0, "leases")
    try verifyEqual(statistics.listeners, 0, "listeners")
    try verifyEqual(await cache.coldest(.max).count, statistics.count, "what is not claimed")
    try verify(statistics.count <= cache.capacity, "\(statistics.count) records")
    for number in Key.numbers {
      if let record = cache.peek(Author<Int>.ref(number)) {
        let entry = versions.latest[Key(.author, number)]
        try verifyEqual(record, entry.map { Author(number, $0) }, "author \(number) at rest")
      }
    }
  }

  struct Tune: GraphRecord, Equatable {
    let id: Int
    var seconds: Int

    static let indexes: RecordIndexes<Tune> = [.ordered(\.seconds)]
  }

  @Test func `a record written while an index is built is in it once`() throws {
    try Schedule.explore(seeds: 30) { schedule in
      let cache = try GraphCache(for: Tune.self, executor: schedule.executor)
      try await cache.put(contentsOf: (0..<10).map { Tune(id: $0, seconds: $0) })
      async let found = cache.find(RecordQuery<Tune>(#Predicate { $0.seconds >= 0 }))
      for id in 0..<10 {
        try await cache.update(Ref<Tune>(id), \.seconds, to: 100 + id)
        await Task.yield()
      }
      try verifyEqual(try await found.count, 10, "what is found")
      try verifyEqual(await cache.audit(), [], "the audit")
    }
  }
}
