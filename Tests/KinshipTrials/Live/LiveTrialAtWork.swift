import KinshipTestSupport

@testable import Kinship

/// Answers are followed while others write, and the store is slow: in the end, the shown answer
/// equals a new one.
package enum LiveTrialAtWork {
  private enum Step: Command {
    case write([ClubModel.Change])
    /// Others change the store, and the cache is notified.
    case outside(ClubModel.Change)
    case evict(Int)
    case removeAll
    case load(LiveQuestion)

    static func random(using generator: inout SplitMix64) -> Step {
      func change() -> ClubModel.Change {
        .amongMany(using: &generator)
      }
      return switch Int.random(in: 0..<12, using: &generator) {
      case 0..<5: .write((0..<Int.random(in: 1...3, using: &generator)).map { _ in change() })
      // So many are deleted that a limited answer needs records beyond all that it holds.
      case 5, 6:
        .write((0..<30).map { _ in .member(Int.random(in: 0..<60, using: &generator), nil) })
      case 7: .write((0..<30).map { _ in change() })
      case 8: .outside(change())
      case 9: .evict(Int.random(in: 0..<60, using: &generator))
      case 10: .removeAll
      default: .load(LiveQuestion(using: &generator))
      }
    }

    func make(in cache: GraphCache, over memory: MemoryStore) async throws {
      switch self {
      case .write(let changes):
        do {
          try await cache.write { tx in for change in changes { try change.make(in: &tx) } }
        } catch KinshipError.exists {
          // Others have inserted it into the store meanwhile.
        }
      case .outside(let change):
        change.make(in: memory)
        await change.invalidate(in: cache)
      case .evict(let id): _ = await cache.evict(Ref<Member>(id))
      case .removeAll: await cache.removeAll()
      case .load(let question): _ = try await cache.find(question.query)
      }
    }
  }

  /// An observer, and the records shown to it.
  private final class Witness: Sendable {
    let question: LiveQuestion
    let shown = Lock<[Member]>([])

    init(_ question: LiveQuestion) { self.question = question }

    func follow(_ cache: GraphCache) async throws {
      for try await change in cache.observe(question.query) {
        let list = Array(change.value)
        try shown.withLock { shown in
          try verifyEqual(change.diff.applying(to: shown), list, "\(question): its difference")
          shown = list
        }
      }
    }
  }

  /// Follows answers while others write, in schedules that are replayable.
  ///
  /// - Parameter seeds: How many lists of steps.
  /// - Returns: How many steps were made.
  /// - Throws: `PropertyFailure` with the smallest list of steps that fails.
  package static func check(seeds: Int) throws -> Int {
    var count = 0
    try Property.check(seeds: seeds, steps: 24, generate: Step.random) { steps, seed in
      try Schedule.run(seed: seed, limit: 1_000_000) { try await run(steps, $0) }
      count += steps.count
    }
    return count
  }

  private static func run(_ steps: [Step], _ schedule: Schedule) async throws {
    var generator = SplitMix64(seed: schedule.seed)
    let memory = ClubModel.ofMany(using: &generator).store
    let store = ScriptedStore(
      over: memory, script: .random(StoreFaults(yields: 5)),
      followsPlans: generator.chance(0.5), seed: generator.next())
    let cache = try GraphCache(
      for: Member.self, Club.self, store: store,
      capacity: [0, 15, 1_000].randomElement(using: &generator) ?? 0, executor: schedule.executor)
    let witnesses = (0..<3).map { _ in Witness(LiveQuestion(using: &generator)) }
    try await withThrowingTaskGroup { group in
      for witness in witnesses { group.addTask { try await witness.follow(cache) } }
      try await withThrowingTaskGroup { writers in
        for number in 0..<2 {
          let own = steps.enumerated().filter { $0.offset % 2 == number }.map(\.element)
          writers.addTask {
            for step in own { try await step.make(in: cache, over: memory) }
          }
        }
        try await writers.waitForAll()
      }
      await schedule.waitUntilIdle()
      try verifyEqual(await cache.audit(), [], "the audit")
      var clubModel = ClubModel()
      for member in try await memory.fetch(RecordQuery<Member>()) {
        clubModel.members[member.id] = member
      }
      for club in try await memory.fetch(RecordQuery<Club>()) { clubModel.clubs[club.id] = club }
      for witness in witnesses {
        let question = witness.question
        try verifyEqual(
          witness.shown.withLock(\.self), try question.answer(clubModel), "\(question)")
      }
      group.cancelAll()
      try await group.waitForAll()
    }
  }
}
