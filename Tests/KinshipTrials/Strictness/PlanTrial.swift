import KinshipTesting
import KinshipTestSupport

@testable import Kinship

/// The plans that a program should have used: those that are learned, and those that a strict cache
/// suggests.
package enum PlanTrial {
  /// A learned plan brings along all that was read, and none that follows a relationship less far
  /// does.
  ///
  /// - Parameter seeds: How many programs.
  /// - Returns: How many there were.
  /// - Throws: `PropertyFailure` with the smallest program that fails.
  @discardableResult
  package static func checkLearned(seeds: Int) async throws -> Int {
    var count = 0
    try await Property.check(seeds: seeds, steps: 14, generate: Stroll.random) { steps, seed in
      count += 1
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

      // The targets of unread records are unknown. Without those, everything is known.
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
    return count
  }

  /// Each load that the graph's plan would have saved is reported, and no other, by comparison with
  /// the graph's own data.
  ///
  /// - Parameter seeds: How many graphs.
  /// - Returns: How many there were.
  /// - Throws: `PropertyFailure` with the seed that fails.
  @discardableResult
  package static func checkStrict(seeds: Int) async throws -> Int {
    var count = 0
    try await Property.check(seeds: seeds, steps: 10, generate: Stroll.random) { _, seed in
      count += 1
      var generator = SplitMix64(seed: seed)
      let pedigree = Pedigree.random(generations: 4, collapse: 0.2, using: &generator)
      let family = TestFamily(pedigree, placeCount: 3, using: &generator)
      let cache = try Self.cache(family.store())
      let strict = try Self.cache(family.store(), .fail)
      let root = Ref<TestPerson>(Int.random(in: 0..<family.people.count, using: &generator))
      var plan = Plan<TestPerson>.following(
        \.father, \.mother, generations: Int.random(in: 0...3, using: &generator))
      if generator.chance(0.5) { plan = plan.following(\.events) }
      if generator.chance(0.3) {
        plan = plan.limited(to: Int.random(in: 1...6, using: &generator))
      }
      let graph = try await cache.graph(of: root, plan)
      try verifyEqual(try await strict.graph(of: root, plan).refs, graph.refs, "the graph")
      for person in family.people {
        let isBeyond = graph.horizon.contains(AnyRef(person.ref))
        do {
          try verifyEqual(try await strict.resolve(person.ref), person, "the person")
          try verifyEqual(isBeyond, false, "whether \(person.ref) is in the horizon")
          await strict.invalidate(person.ref)
        } catch KinshipError.unplannedLoad(let load) {
          try verifyEqual(load.kind == .repeated, !isBeyond, "whether \(load) is of no graph")
        }
      }
    }
    return count
  }

  static func cache(
    _ store: any BackingStore, _ strictness: Strictness = .off
  ) throws -> GraphCache {
    try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: store, strictness: strictness)
  }

  static func learn(
    _ steps: [Stroll], from store: MemoryStore
  ) async throws -> (Stroll.Reader, LearnedPlan) {
    let cache = try cache(store)
    return try await cache.learningPlan {
      var reader = Stroll.Reader(cache)
      try await reader.follow(steps)
      return reader
    }
  }

  /// The calls of plans, and the later calls of a program.
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

  static func load(_ parts: [LearnedPlan.Part], _ cache: GraphCache) async throws {
    for part in parts {
      func load<R: GraphRecord>(_ type: R.Type) async throws {
        let roots = part.roots.compactMap { $0.as(type) }
        _ = try await cache.find(roots.graphs(Plan<R>(rules: part.rules)))
      }
      if let type = part.roots.first?.type { try await load(type) }
    }
  }
}

extension LearnedPlan.Part {
  /// Plans that follow one relationship a generation less far.
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
