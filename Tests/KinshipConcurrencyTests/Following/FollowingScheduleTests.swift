import KinshipSync
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipTrials

/// Two caches follow one store that a third program changes, in every order that a schedule can
/// choose.
@Suite(.dedicatedThreads, .boundedWaits, .tags(.lawP2, .lawP3))
struct FollowingScheduleTests {
  private typealias Node = TestNode<Int>

  private struct OutOfReach: Error {}

  /// A step of a trial.
  ///
  /// Several steps of different writers run at the same time.
  private enum Step: Command {
    case write(cache: Int, id: Int)
    case insertOrDelete(cache: Int, id: Int)
    case show(cache: Int, id: Int)
    case read(cache: Int, id: Int)
    case graph(cache: Int, id: Int)
    case refresh(cache: Int, id: Int)
    case refreshAll(cache: Int)
    case evict(cache: Int, id: Int)
    case removeAll(cache: Int)
    case put(id: Int, value: Int)
    case delete(id: Int)
    case truncate
    case catchUp(cache: Int)
    case loseContact
    case regainContact
    case prune
    case capture(cache: Int)
    case restore(cache: Int)
    case rest

    static func random(using generator: inout SplitMix64) -> Step {
      let (cache, id) = (
        Int.random(in: 0..<2, using: &generator), Int.random(in: 0..<6, using: &generator)
      )
      return switch Int.random(in: 0..<66, using: &generator) {
      case 0..<8: .write(cache: cache, id: id)
      case 8..<11: .insertOrDelete(cache: cache, id: id)
      case 11..<13: .show(cache: cache, id: id)
      case 13..<26: .read(cache: cache, id: id)
      case 26..<28: .graph(cache: cache, id: id)
      case 28..<30: .evict(cache: cache, id: id)
      case 30..<34: .removeAll(cache: cache)
      case 34..<40: .put(id: id, value: Int.random(in: 100..<1_000, using: &generator))
      case 40..<42: .delete(id: id)
      case 42: .truncate
      case 43..<53: .catchUp(cache: cache)
      case 53: .loseContact
      case 54: .regainContact
      case 55: .prune
      case 56..<58: .capture(cache: cache)
      case 58..<60: .restore(cache: cache)
      case 60..<63: .refresh(cache: cache, id: id)
      case 63: .refreshAll(cache: cache)
      default: .rest
      }
    }
  }

  private final class World: Sendable {
    let store: LoggedStore
    let caches: [GraphCache]
    let followings: [GraphCache.Following]
    let schedule: Schedule
    let captured = Shared<CapturedContents?>(nil)

    init(_ schedule: Schedule) throws {
      self.schedule = schedule
      let logged = LoggedStore(
        MemoryStore((0..<6).map { Node(id: $0, value: $0, links: [Ref(($0 + 1) % 6)]) }))
      store = logged
      // Answers arrive late. Commits take time, and get lost on the way to the store and back.
      let script = StoreScript { call, generator in
        let pause = StoreBehavior.Pause.yields(Int.random(in: 0..<30, using: &generator))
        guard call.kind == .apply, generator.chance(0.2) else {
          return StoreBehavior(reading: .beforePause, pause: pause)
        }
        return StoreBehavior(pause: pause, losing: generator.chance(0.5) ? .before : .after)
      }
      let caches = try (0..<2).map { (number: Int) -> GraphCache in
        try GraphCache(
          for: Node.self,
          store: ScriptedStore(
            over: logged, script: script, followsPlans: number == 1,
            seed: schedule.seed + UInt64(number)),
          capacity: number == 0 ? .max : 4, executor: schedule.executor, clock: ManualClock())
      }
      self.caches = caches
      followings = caches.map { $0.follow(logged) }
    }

    func apply(_ step: Step) async throws {
      switch step {
      case .write(let cache, let id):
        try await bearing {
          try await caches[cache].write { tx in
            if tx[Ref<Node>(id)] != nil { try tx.update(Ref<Node>(id)) { $0.value += 1 } }
          }
        }
      case .insertOrDelete(let cache, let id):
        try await bearing {
          try await caches[cache].write { tx in
            if tx[Ref<Node>(id)] == nil {
              try tx.insert(Node(id: id, value: 50))
            } else {
              try tx.delete(Ref<Node>(id))
            }
          }
        }
      case .show(let cache, let id):
        try await bearing {
          let write = try await caches[cache].writeOptimistically { tx in
            if tx[Ref<Node>(id)] != nil { try tx.update(Ref<Node>(id)) { $0.value += 1 } }
          }
          try await write.outcome()
        }
      case .read(let cache, let id): _ = try await caches[cache].find(Ref<Node>(id))
      case .graph(let cache, let id):
        do {
          _ = try await caches[cache].graph(of: Ref<Node>(id), .generations(3))
        } catch KinshipError.missing {}
      case .refresh(let cache, let id): try await caches[cache].refresh(Ref<Node>(id))
      case .refreshAll(let cache):
        try await caches[cache].refresh(RecordQuery<Node>().sorted(by: \.value))
      case .evict(let cache, let id): await caches[cache].evict(Ref<Node>(id))
      case .removeAll(let cache): await caches[cache].removeAll()
      case .put(let id, let value): store.put(Node(id: id, value: value, links: [Ref(value % 6)]))
      case .delete(let id): store.delete(Ref<Node>(id))
      case .truncate:
        for id in 0..<6 { store.memory.remove(Ref<Node>(id)) }
        store.note(.all(of: Node.self))
      case .catchUp(let cache): try await bearing { try await followings[cache].catchUp() }
      case .loseContact: store.failure = OutOfReach()
      case .regainContact: store.failure = nil
      case .prune: store.prune()
      case .capture(let cache):
        let contents = try await CapturedContents(of: caches[cache], limit: 2)
        // Before the store's first answer, the time of the contents is unknown.
        if !contents.cursors.isEmpty { captured.change { $0 = contents } }
      case .restore(let cache): _ = try await captured.value?.restore(into: caches[cache])
      case .rest: break
      }
    }

    /// Ignores the errors that a writer may get beside other writers, or while the store is
    /// unreachable.
    private func bearing(_ body: () async throws -> Void) async throws {
      do {
        try await body()
      } catch is OutOfReach {
      } catch is ScriptedStore.LostConnection {
      } catch KinshipError.commitFailed(let cause) where cause is ScriptedStore.LostConnection {
      } catch KinshipError.exists {
      } catch KinshipError.missing {
      } catch KinshipError.conflict {}
    }

    /// A cache that has caught up equals the store.
    func verify() async throws {
      store.failure = nil
      try await store.catchUp()
      for (number, cache) in caches.enumerated() {
        for id in 0..<6 {
          let (ref, stored) = (Ref<Node>(id), store.memory[Ref<Node>(id)])
          if let held = cache.peek(ref) {
            try verifyEqual(held, stored, "what cache \(number) holds of \(id)")
          }
          try verifyEqual(try await cache.find(ref), stored, "what cache \(number) reads of \(id)")
        }
        try verifyEqual(await cache.audit(), [], "the audit of cache \(number)")
      }
    }
  }

  /// Nothing is stale after catching up, whatever was in flight when the log was read.
  ///
  /// This includes commits of unknown outcome, and restorations of earlier captures.
  @Test func `a cache is never stale after it has caught up`() async throws {
    try await Property.check(
      seeds: 200, steps: 40, generate: { Step.random(using: &$0) }
    ) { steps, seed async throws in
      try Schedule.run(seed: seed, limit: 1_000_000) { schedule in
        let world = try World(schedule)
        // A cache polls when all other tasks are idle. Without a delay, nothing would happen while
        // it loads.
        try await schedule.apply(steps, delayedUpTo: 120) {
          if case .rest = $0 { true } else { false }
        } apply: {
          try await world.apply($0)
        } verify: {
          try await world.verify()
        }
        for following in world.followings { following.end() }
      }
    }
  }
}
