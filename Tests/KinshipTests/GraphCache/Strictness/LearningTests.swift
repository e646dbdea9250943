import KinshipTesting
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipTrials

/// The records that a learned plan reaches.
@Suite(.tags(.lawL6))
struct LearningTests {
  /// A learned plan loads everything that was read, and no plan that follows a relationship less
  /// far does.
  @Test func `a learned plan is the smallest sufficient plan`() async throws {
    try await PlanTrial.checkLearned(seeds: 60)
  }

  /// Reads of other tasks are not learned.
  @Test func `a plan is learned only from the current task`() async throws {
    let cache = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: Self.line(4))
    let ((), learned) = try await cache.learningPlan {
      _ = try await cache.resolve(Ref<TestPerson>(0))
      async let child = cache.resolve(Ref<TestPerson>(1))
      _ = try await child
      try await Task.detached { _ = try await cache.resolve(Ref<TestPerson>(2)) }.value
    }
    #expect(learned.source == #"Plan<TestPerson>.following(\.father, generations: 1)"#)
    #expect(learned.parts.map(\.roots) == [[AnyRef(Ref<TestPerson>(0))]])
    #expect(learned.recordCount == 2)
    #expect(learned.plannedCallCount == 2)
    #expect(await cache.watchers == 0)
  }

  /// A graph from memory is read like any other.
  @Test func `a plan is learned from graphs in memory`() async throws {
    let cache = try PlanTrial.cache(Self.line(100))
    let plan = Plan<TestPerson>.following(\.father, generations: 80)
    for _ in 0..<2 { _ = try await cache.graph(of: Ref<TestPerson>(0), plan) }
    let (graph, learned) = try await cache.learningPlan {
      try await cache.graph(of: Ref<TestPerson>(0), plan)
    }
    #expect(graph.count == 81 && learned.recordCount == 81)
    #expect(learned.source == #"Plan<TestPerson>.following(\.father, generations: 80)"#)
    #expect(learned.callCount == 0 && learned.plannedCallCount == 81)
  }

  @Test func `a failure ends learning`() async throws {
    let cache = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: MemoryStore())
    await #expect(throws: KinshipError.self) {
      try await cache.learningPlan { _ = try await cache.resolve(Ref<TestPerson>(0)) }
    }
    #expect(await cache.watchers == 0)
    #expect(await cache.learningPlan {}.plan.parts.isEmpty)
  }

  /// A generation takes a call for each type, and its referrers take one for each relationship.
  @Test func `a learned plan reports its number of store calls`() async throws {
    var generator = SplitMix64(seed: 1)
    let pedigree = Pedigree.random(generations: 3, using: &generator)
    let family = TestFamily(pedigree, eventsPerPerson: 1...2, using: &generator)
    let steps: [Stroll] = [
      .begin(0), .father(0), .father(1), .events(2), .childrenOfFather(2), .mother(0),
    ]
    let (_, learned) = try await PlanTrial.learn(steps, from: family.store())
    let store = ScriptedStore(over: family.store())
    try await PlanTrial.load(learned.parts, try PlanTrial.cache(store))
    #expect(learned.plannedCallCount == store.calls.count)
    #expect(learned.callCount == 6)

    // The referrers are loaded with the answer that names them.
    let (_, parent) = try await PlanTrial.learn(
      [.begin(1), .childrenOfFather(0)], from: family.store())
    #expect(parent.plannedCallCount == 2 && parent.callCount == 2)
  }

  /// Persons, each the child of the next.
  static func line(_ count: Int) -> MemoryStore {
    let store = MemoryStore()
    store.insert(
      (0..<count).map { id in
        TestPerson(id: id, name: "", father: id + 1 < count ? Ref(id + 1) : nil)
      })
    return store
  }
}
