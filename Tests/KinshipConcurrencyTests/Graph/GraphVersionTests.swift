import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import KinshipTrials

/// A graph shows one committed version, whatever is written while it loads, and it never changes.
@Suite(.dedicatedThreads, .tags(.lawI2))
struct GraphVersionTests {
  @Test func `writes between the loads of a graph appear all or not at all`() throws {
    try Schedule.explore(seeds: 400) { schedule in
      try await self.writeWhileLoading(schedule)
    }
  }

  private func writeWhileLoading(_ schedule: Schedule) async throws {
    var generator = SplitMix64(seed: schedule.seed)
    var world: [Key: Entry] = [:]
    for key in Key.all { world[key] = .random(using: &generator) }
    let versions = Versions(world)
    let store = ScriptedStore(
      over: versions.memory, script: .random(), followsPlans: generator.chance(0.5),
      seed: generator.next())
    let cache = try GraphCache(
      for: Author<Int>.self, Work<Int>.self, store: store,
      capacity: [2, 4, .max].randomElement(using: &generator) ?? 2,
      executor: schedule.executor)
    var plan = ReferencePlan(generations: Int.random(in: 1...4, using: &generator))
    for edge in Edge.allCases where generator.chance(0.2) { plan.inverses[edge] = 2 }
    let followed = plan
    let writerSeed = generator.next()
    try await withThrowingTaskGroup { group in
      for number in 0..<3 {
        group.addTask { try await Self.load(Key(.author, number), followed, cache, versions) }
      }
      group.addTask { try await Self.loadTogether(followed, cache, versions) }
      group.addTask {
        var generator = SplitMix64(seed: writerSeed)
        for _ in 0..<6 {
          try await Self.write(to: cache, versions, &generator)
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
    try verifyEqual(await cache.audit(), [], "the audit")
    let statistics = cache.statistics
    try verifyEqual(statistics.traversals + statistics.waiters, 0, "what is left behind")
  }

  /// Loads a graph, which must show one version, even after everything was dropped.
  private static func load(
    _ root: Key, _ plan: ReferencePlan, _ cache: GraphCache, _ versions: Versions
  ) async throws {
    let first = versions.all.count - 1
    do {
      let graph = try await HeldGraph<Int>(
        cache.graph(of: Author<Int>.ref(root.number), plan.plan(of: Author<Int>.self)))
      let worlds = versions.all[first...]
      let legs = [ReferenceGraph.Leg(root: root, plan: plan)]
      try verify(graph, legs, worlds)
      await cache.removeAll()
      try verify(graph, legs, worlds)
    } catch KinshipError.missing {
      try KinshipTestSupport.verify(
        versions.all[first...].contains { $0[root] == nil }, "\(root) was never missing")
    }
  }

  /// Loads graphs of many roots, which must all show one version.
  private static func loadTogether(
    _ plan: ReferencePlan, _ cache: GraphCache, _ versions: Versions
  ) async throws {
    let roots = [2, 0, 5, 3, 0].map { Key(.author, $0) }
    let first = versions.all.count - 1
    let graphs = try await cache.find(
      (roots.map { Author<Int>.ref($0.number) }).graphs(plan.plan(of: Author<Int>.self))
    ).map { try $0.map { try HeldGraph<Int>($0) } }
    try verifyEqual(graphs.count, roots.count, "how many graphs there are")
    let isOfOneVersion = versions.all[first...].contains { world in
      zip(roots, graphs).allSatisfy { root, graph in
        let expected = ReferenceGraph.search([.init(root: root, plan: plan)], in: world)
        return switch (graph, expected) {
        case (nil, nil): true
        case (let graph?, let expected?): graph.agrees(with: expected)
        default: false
        }
      }
    }
    try KinshipTestSupport.verify(isOfOneVersion, "the graphs are not those of one version")
  }

  /// Commits changes to the store and the cache at once, or makes the cache drop something.
  private static func write(
    to cache: GraphCache, _ versions: Versions,
    _ generator: inout SplitMix64
  ) async throws {
    var changes: [Key: Entry?] = [:]
    for key in Key.all where generator.chance(0.3) {
      changes[key] = generator.chance(0.1) ? .some(nil) : .random(using: &generator)
    }
    let forgotten = Author<Int>.ref(Int.random(in: Key.numbers, using: &generator))
    let way = Int.random(in: 0..<4, using: &generator)
    let committed = changes
    try await cache.perform { cache in
      switch way {
      case 0: cache.evict(forgotten)
      case 1: cache.invalidate(forgotten)
      default: try versions.commit(committed, to: cache)
      }
    }
  }

  /// Verifies that a graph equals a search in one of the versions.
  private static func verify(
    _ graph: HeldGraph<Int>, _ legs: [ReferenceGraph.Leg], _ worlds: ArraySlice<[Key: Entry]>
  ) throws {
    let isOfOneVersion = worlds.contains { world in
      ReferenceGraph.search(legs, in: world).map(graph.agrees) ?? false
    }
    try KinshipTestSupport.verify(
      isOfOneVersion, "the graph is that of none of \(worlds.count) versions: \(graph)")
  }
}
