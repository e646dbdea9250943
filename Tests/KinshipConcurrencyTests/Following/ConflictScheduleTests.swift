import KinshipSync
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// Several caches write the same records of one store, in every order that a schedule can choose.
@Suite(.boundedWaits, .tags(.lawP4))
struct ConflictScheduleTests {
  private struct Counter: Versioned, Codable, Equatable {
    let id: Int
    var count = 0
    var version = 0
  }

  private enum Step: Command {
    case increment(cache: Int, id: Int, retries: Int)
    case delete(cache: Int, id: Int)
    case read(cache: Int, id: Int)
    case evict(cache: Int, id: Int)
    case catchUp(cache: Int)

    static func random(using generator: inout SplitMix64) -> Step {
      let (cache, id) = (
        Int.random(in: 0..<3, using: &generator), Int.random(in: 0..<3, using: &generator)
      )
      return switch Int.random(in: 0..<20, using: &generator) {
      case 0..<9: .increment(cache: cache, id: id, retries: 0)
      case 9..<12: .increment(cache: cache, id: id, retries: 2)
      case 12: .delete(cache: cache, id: id)
      case 13..<16: .read(cache: cache, id: id)
      case 16: .evict(cache: cache, id: id)
      default: .catchUp(cache: cache)
      }
    }
  }

  /// A version that an update or a deletion replaced.
  private struct Replaced: Hashable, CustomStringConvertible {
    let id: Int
    let version: Int
    var description: String { "\(version) of \(id)" }
  }

  private final class World: Sendable {
    let store = LoggedStore(MemoryStore((0..<3).map { Counter(id: $0) }))
    let caches: [GraphCache]
    let followings: [GraphCache.Following]
    let replaced = Shared<[Replaced]>([])
    let conflicts = Shared(0)

    init(_ schedule: Schedule) throws {
      let (store, script) = (store, StoreScript { _, _ in StoreBehavior() })
      let caches = try (0..<3).map { number in
        try GraphCache(
          for: Counter.self,
          store: ScriptedStore(
            over: store, script: script, seed: schedule.seed + UInt64(number)),
          executor: schedule.executor, clock: ManualClock())
      }
      self.caches = caches
      followings = caches.map { $0.follow(store) }
    }

    func apply(_ step: Step) async throws {
      switch step {
      case .increment(let cache, let id, let retries):
        try await replacing(id) {
          try await caches[cache].write(retries: retries) { tx in
            try tx.update(Ref<Counter>(id)) { $0.count += 1 }
          }.updated(Counter.self).compactMap { $0.old?.version }
        }
      case .delete(let cache, let id):
        try await replacing(id) {
          try await caches[cache].write { tx in
            if tx[Ref<Counter>(id)] != nil { try tx.delete(Ref<Counter>(id)) }
          }.deleted(Counter.self).map(\.version)
        }
      case .read(let cache, let id): _ = try await caches[cache].find(Ref<Counter>(id))
      case .evict(let cache, let id): await caches[cache].evict(Ref<Counter>(id))
      case .catchUp(let cache): try await followings[cache].catchUp()
      }
    }

    /// Notes the version that a commit has replaced, by its own report, or knows that it has
    /// replaced none.
    private func replacing(_ id: Int, _ body: () async throws -> [Int]) async throws {
      do {
        let versions = try await body()
        replaced.change { $0 += versions.map { Replaced(id: id, version: $0) } }
      } catch KinshipError.conflict(let ref, let mine, let theirs) {
        try verifyEqual(ref, AnyRef(Ref<Counter>(id)), "what is in conflict")
        if let mine = mine as? Counter, let theirs = theirs as? Counter {
          try verifyEqual(
            mine.version - 1 == theirs.version, false, "whether \(mine) was based on \(theirs)")
        }
        conflicts.change { $0 += 1 }
      } catch KinshipError.missing {}
    }

    func verify() throws {
      let replaced = replaced.value
      try verifyEqual(replaced.count, Set(replaced).count, "versions replaced, \(replaced)")
      for id in 0..<3 {
        let ofThis = replaced.filter { $0.id == id }
        if let stored = store.memory[Ref<Counter>(id)] {
          try verifyEqual(stored.count, ofThis.count, "how often \(id) was incremented")
          try verifyEqual(stored.version, ofThis.count, "the version of \(id)")
        } else {
          try verifyEqual(
            ofThis.map(\.version).max(), ofThis.count - 1, "the last version of \(id)")
        }
      }
    }
  }

  /// No update is lost, and no failed update counts as a success.
  @Test func `one of two conflicting writers wins`() async throws {
    let conflicts = Shared(0)
    try await Property.check(
      seeds: 60, steps: 40, generate: { Step.random(using: &$0) }
    ) { steps, seed async throws in
      try Schedule.run(seed: seed, limit: 1_000_000) { schedule in
        let world = try World(schedule)
        let tasks = steps.map { step in
          Task(executorPreference: schedule.executor) { try await world.apply(step) }
        }
        for task in tasks { try await task.value }
        for following in world.followings { following.end() }
        try world.verify()
        conflicts.change { $0 += world.conflicts.value }
      }
    }
    #expect(conflicts.value > 0, "nobody met anybody")
  }
}
