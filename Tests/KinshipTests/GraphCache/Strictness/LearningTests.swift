import KinshipConformance
import KinshipTestSupport
import Testing

@testable import Kinship

/// What a plan that was learned leads to.
@Suite(.tags(.lawL6))
struct LearningTests {
  /// A learned plan brings along all that was read, and none that follows a relationship less far
  /// does.
  @Test func aLearnedPlanIsTheSmallestThatIsEnough() async throws {
    try await Property.check(seeds: 60, steps: 14, generate: Stroll.random) { steps, seed in
      var generator = SplitMix64(seed: seed)
      let pedigree = Pedigree.random(
        generations: 3, width: generator.chance(0.5) ? 4 : .max,
        collapse: generator.chance(0.5) ? 0.3 : 0, using: &generator)
      let family = TestFamily(pedigree, placeCount: 3, using: &generator)
      let steps = steps.filter { step in
        if case .begin(let id) = step { id < family.people.count } else { true }
      }
      let (reader, learned) = try await Self.learn(steps, from: family.store())
      let read = Set(reader.refs)

      // Nobody knows where those lead who were not read: without them, all is known.
      let small = MemoryStore()
      small.insert(family.people.filter { read.contains(AnyRef($0.ref)) })
      small.insert(family.events.filter { read.contains(AnyRef($0.ref)) })
      small.insert(family.places.filter { read.contains(AnyRef($0.ref)) })
      let whole = try await Self.calls(of: learned.parts, steps, family.store())
      let known = try await Self.calls(of: learned.parts, steps, small)
      try verifyEqual(whole.onTop, 0, "the calls on top of \(learned.source)")
      try verifyEqual(known.onTop, 0, "the calls on top of \(learned.source) by what is known")
      try verifyEqual(learned.plannedCallCount, known.planned, "the calls of \(learned.source)")
      for part in learned.parts.indices {
        for smaller in learned.parts[part].smaller {
          var parts = learned.parts
          parts[part] = smaller
          let calls = try await Self.calls(of: parts, steps, small)
          try verifyEqual(calls.onTop > 0, true, "if less than \(learned.source) lacks")
        }
      }
    }
  }

  /// What others read meanwhile is not learned.
  @Test func onlyTheTaskIsLearnedFrom() async throws {
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

  /// A graph of what is in memory is read as any other.
  @Test func warmGraphsAreLearnedFrom() async throws {
    let cache = try Self.cache(Self.line(100))
    let plan = Plan<TestPerson>.following(\.father, generations: 80)
    for _ in 0..<2 { _ = try await cache.graph(of: Ref<TestPerson>(0), plan) }
    let (graph, learned) = try await cache.learningPlan {
      try await cache.graph(of: Ref<TestPerson>(0), plan)
    }
    #expect(graph.count == 81 && learned.recordCount == 81)
    #expect(learned.source == #"Plan<TestPerson>.following(\.father, generations: 80)"#)
    #expect(learned.callCount == 0 && learned.plannedCallCount == 81)
  }

  @Test func whatFailsEndsLearning() async throws {
    let cache = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: MemoryStore())
    await #expect(throws: KinshipError.self) {
      try await cache.learningPlan { _ = try await cache.resolve(Ref<TestPerson>(0)) }
    }
    #expect(await cache.watchers == 0)
    #expect(await cache.learningPlan {}.plan.parts.isEmpty)
  }

  /// A generation takes a call for each type, and those who refer to its records one for each
  /// relationship.
  @Test func callsAreCounted() async throws {
    var generator = SplitMix64(seed: 1)
    let pedigree = Pedigree.random(generations: 3, using: &generator)
    let family = TestFamily(pedigree, eventsPerPerson: 1...2, using: &generator)
    let steps: [Stroll] = [
      .begin(0), .father(0), .father(1), .events(2), .childrenOfFather(2), .mother(0),
    ]
    let (_, learned) = try await Self.learn(steps, from: family.store())
    let store = ScriptedStore(over: family.store())
    try await Self.load(learned.parts, try Self.cache(store))
    #expect(learned.plannedCallCount == store.calls.count)
    #expect(learned.callCount == 6)

    // Those who refer to somebody come with the answer who they are.
    let (_, parent) = try await Self.learn([.begin(1), .childrenOfFather(0)], from: family.store())
    #expect(parent.plannedCallCount == 2 && parent.callCount == 2)
  }

  static func cache(_ store: any BackingStore) throws -> GraphCache {
    try GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self, store: store)
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

  private static func learn(
    _ steps: [Stroll], from store: MemoryStore
  ) async throws -> (Stroll.Reader, LearnedPlan) {
    let cache = try cache(store)
    return try await cache.learningPlan {
      var reader = Stroll.Reader(cache)
      try await reader.follow(steps)
      return reader
    }
  }

  /// The calls of plans, and those that a program makes after them.
  private static func calls(
    of parts: [LearnedPlan.Part], _ steps: [Stroll], _ records: MemoryStore
  ) async throws -> (planned: Int, onTop: Int) {
    let store = ScriptedStore(over: records)
    let cache = try cache(store)
    try await load(parts, cache)
    let before = store.calls.count
    var reader = Stroll.Reader(cache)
    try await reader.follow(steps)
    return (before, store.calls.count - before)
  }

  private static func load(_ parts: [LearnedPlan.Part], _ cache: GraphCache) async throws {
    for part in parts {
      func load<R: GraphRecord>(_ type: R.Type) async throws {
        let roots = part.roots.compactMap { $0.as(type) }
        _ = try await cache.graphs(of: roots, Plan<R>(rules: part.rules))
      }
      if let type = part.roots.first?.type { try await load(type) }
    }
  }
}

extension LearnedPlan.Part {
  /// Plans that follow one relationship a generation less.
  fileprivate var smaller: [LearnedPlan.Part] {
    let forward = rules.forward.indices.map { number in
      var rules = rules
      let rule = rules.forward[number]
      rules.forward[number] = PlanRules.Forward(
        source: rule.source, keyPath: rule.keyPath, generations: rule.generations - 1)
      return rules
    }
    let backward = rules.backward.indices.map { number in
      var rules = rules
      let rule = rules.backward[number]
      rules.backward[number] = PlanRules.Backward(
        edges: rule.edges, generations: rule.generations - 1)
      return rules
    }
    return (forward + backward).map { LearnedPlan.Part(roots: roots, source: source, rules: $0) }
  }
}
