import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import KinshipTrials

/// The laws of observation: observers of every kind and speed among writers, in every order that a
/// schedule can choose.
@Suite(.dedicatedThreads, .boundedWaits, .tags(.lawO1, .lawO2))
struct ObservationLawTests {
  @Test func `observers see versions in order and end on the last`() throws {
    try check(seeds: 150, faults: StoreFaults())
  }

  @Test func `a failing store delays observers and hides nothing`() throws {
    try check(seeds: 80, faults: StoreFaults(failure: 0.3))
  }

  /// Evictions hide no write from observers, although the record cannot be read again.
  @Test func `evictions hide no write from observers without a store`() throws {
    try Property.check(seeds: 60, steps: 60, generate: WriterCommand.random) { commands, seed in
      try Schedule.run(seed: seed, limit: 1_000_000) { schedule in
        var generator = SplitMix64(seed: seed)
        let versions = Versions([:])
        let cache = try GraphCache(
          for: Author<Int>.self, Work<Int>.self,
          capacity: Int.random(in: 1...6, using: &generator), executor: schedule.executor)
        try await withThrowingTaskGroup { group in
          let kinds: [ObserverProbe.Kind] = [.record, .list, .type, .everything]
          let probes = kinds.map { ObserverProbe("\($0)", versions) }
          for (kind, probe) in zip(kinds, probes) {
            let turns = Int.random(in: 0...30, using: &generator)
            group.addTask { await probe.follow(kind, of: 1, cache, limit: .max, turns: turns) }
          }
          await schedule.waitUntilIdle()
          for command in commands where command.saysWhatIs {
            try await command.perform(on: cache, versions)
            try verifyEqual(await cache.audit(), [], "the audit after \(command)")
          }
          await schedule.waitUntilIdle()
          for probe in probes { try probe.verify(versions.latest) }
          group.cancelAll()
          try await group.waitForAll()
        }
      }
    }
  }

  private func check(seeds: Int, faults: StoreFaults) throws {
    try Property.check(seeds: seeds, steps: 40, generate: WriterCommand.random) { commands, seed in
      try Schedule.run(seed: seed, limit: 1_000_000) { schedule in
        try await Self.run(commands, faults, schedule)
      }
    }
  }

  private static func run(
    _ commands: [WriterCommand], _ faults: StoreFaults, _ schedule: Schedule
  ) async throws {
    var generator = SplitMix64(seed: schedule.seed)
    var world: [Key: Entry] = [:]
    for key in Key.all where generator.chance(0.6) { world[key] = .random(using: &generator) }
    let versions = Versions(world)
    let store = ScriptedStore(
      over: versions.memory, script: .random(faults), seed: generator.next())
    let cache = try GraphCache(
      for: Author<Int>.self, Work<Int>.self, store: store,
      capacity: [0, 1, 3, 8, .max].randomElement(using: &generator) ?? 1,
      fetching: FetchLimits(batchSize: [1, 3, .max].randomElement(using: &generator) ?? 1),
      executor: schedule.executor)
    let probes = try await withThrowingTaskGroup { group in
      var probes: [ObserverProbe] = []
      for kind in ObserverProbe.Kind.allCases {
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
          let number = Int.random(in: Key.numbers, using: &generator)
          let turns = Int.random(in: 0...30, using: &generator)
          // Some break out early.
          let limit = generator.chance(0.2) ? Int.random(in: 1...4, using: &generator) : .max
          let probe = ObserverProbe("\(kind) of \(number)", versions)
          probes.append(probe)
          group.addTask {
            await probe.follow(kind, of: number, cache, limit: limit, turns: turns)
          }
        }
      }
      try await withThrowingTaskGroup { writers in
        for number in 0..<2 {
          let own = commands.filter { $0.client == number }
          writers.addTask {
            for command in own {
              try await command.perform(on: cache, versions)
              try verifyEqual(await cache.audit(), [], "the audit after \(command)")
            }
          }
        }
        try await writers.waitForAll()
      }
      await schedule.waitUntilIdle()
      try verifyEqual(await cache.audit(), [], "the audit at rest")
      let following = probes.count { !$0.hasEnded }
      try verifyEqual(cache.statistics.observers, following, "the observers at rest")
      for probe in probes { try probe.verify(versions.latest) }
      group.cancelAll()
      try await group.waitForAll()
      return probes
    }
    await schedule.waitUntilIdle()
    for probe in probes {
      try verify(probe.changes > 0, "\(probe.name) was told nothing")
      try verify(probe.hasEnded, "\(probe.name) goes on")
    }
    let statistics = cache.statistics
    try verifyEqual(statistics.observers, 0, "the observers at the end")
    try verifyEqual(statistics.waiters, 0, "the waiters at the end")
    try verifyEqual(statistics.batchesInFlight, 0, "the batches at the end")
    try verifyEqual(statistics.traversals, 0, "the traversals at the end")
    try verifyEqual(await cache.audit(), [], "the audit at the end")
  }
}
