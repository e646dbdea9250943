import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import KinshipTrials

/// Law T3: after a deletion no ref dangles that the rules cover, cached or not.
///
/// Every small graph with every rule: a property that holds for these is seldom wrong for larger
/// ones.
@Suite(.dedicatedThreads, .tags(.lawT3))
struct DeleteRuleTests {
  @Test func `delete rules hold in every to-many graph of three records`() throws {
    try forEveryRule { onDelete, onTargetDelete, executor in
      for nodeCount in 1...3 {
        let graphs = Array(DirectedGraph.all(nodeCount: nodeCount).enumerated())
        for (number, graph) in try Effort().some(of: graphs) where try Self.isWanted(graph) {
          let world = RuleWorld(many: graph)
          try await Self.many(onDelete, onTargetDelete, world, number, executor)
        }
      }
    }
  }

  @Test func `delete rules hold in every to-one graph of three records`() throws {
    try forEveryRule { onDelete, onTargetDelete, executor in
      for nodeCount in 1...3 {
        for (number, graph) in DirectedGraph.all(nodeCount: nodeCount).enumerated() {
          guard let world = RuleWorld(one: graph) else { continue }
          try await Self.one(onDelete, onTargetDelete, world, number, executor)
        }
      }
    }
  }

  /// Some of the 65,536 graphs, evenly spread.
  @Test func `delete rules hold in some graphs of four records`() throws {
    let count = 1 << 16
    let step = max(1, count / (try Effort().operations(8))) | 1
    try forEveryRule { onDelete, onTargetDelete, executor in
      for number in stride(from: 0, to: count, by: step) {
        let world = RuleWorld(many: DirectedGraph(adjacency: UInt64(number), nodeCount: 4))
        try await Self.many(onDelete, onTargetDelete, world, number, executor)
      }
    }
  }

  /// Two relationships with rules of their own, dangling refs, and repeated refs.
  @Test func `relationships with different delete rules combine`() throws {
    try Schedule.explore(seeds: 150) { schedule in
      var generator = SplitMix64(seed: schedule.seed)
      let world = RuleWorld.random(
        nodeCount: Int.random(in: 2...6, using: &generator), using: &generator)
      let rules = (0..<4).map { _ in
        StaticRules.all.randomElement(using: &generator) ?? StaticRules.Nullify.self
      }
      try await Self.trial(
        rules[0], rules[1], rules[2], rules[3], world, Int(schedule.seed), schedule.executor)
    }
  }

  /// More records, and more refs of one, than one exclusive section examines.
  @Test func `deletions larger than one chunk obey the delete rules`() throws {
    let placements: [DeletionPlacement] = [.memory, .memory, .store, .half(0)]
    try Schedule.explore(seeds: 120) { schedule in
      var generator = SplitMix64(seed: schedule.seed)
      let count = Int.random(in: 1_100...1_300, using: &generator)
      var world = RuleWorld.random(nodeCount: count, using: &generator)
      // Some of them do not exist, and some are repeated.
      let most = [10, 600, count][Int(schedule.seed % 3)]
      world.nodes[0]?.many = (0..<most).map { _ in Int.random(in: 0...count, using: &generator) }
      for _ in 0..<count / 10 { world.nodes[Int.random(in: 1..<count, using: &generator)] = nil }
      let rules = (0..<4).map { _ in
        StaticRules.all.randomElement(using: &generator) ?? StaticRules.Nullify.self
      }
      func once<A: StaticRule, B: StaticRule, C: StaticRule, D: StaticRule>(
        _: A.Type, _: B.Type, _: C.Type, _: D.Type
      ) async throws {
        try await DeletionTrial<Rules<A, B, C, D>>.run(
          world, placements[Int(schedule.seed / 3 % 4)], toTheEnd: false, on: schedule.executor)
      }
      try await once(rules[0], rules[1], rules[2], rules[3])
    }
  }

  // MARK: Parts

  /// One thread does everything, so no task waits.
  private func forEveryRule(
    _ body:
      @escaping @Sendable (
        any StaticRule.Type, any StaticRule.Type, any TaskExecutor
      ) async throws -> Void
  ) throws {
    for (onDelete, onTargetDelete) in SmallDeletions.rules {
      try Schedule.run(seed: 1, limit: .max) { schedule in
        try await body(onDelete, onTargetDelete, schedule.executor)
      }
    }
  }

  /// One of two graphs is enough if they differ only in the names of the nodes that are not deleted
  /// first.
  private static func isWanted(_ graph: DirectedGraph) throws -> Bool {
    guard graph.successors.count == 3, try Effort().scale < 4 else { return true }
    let renamed = [0, 2, 1]
    let mirrored = renamed.map { graph.successors[$0].map { renamed[$0] }.sorted() }
    return !mirrored.lexicographicallyPrecedes(graph.successors) {
      $0.lexicographicallyPrecedes($1)
    }
  }

  private static func many<A: StaticRule, B: StaticRule>(
    _ onDelete: A.Type, _ onTargetDelete: B.Type, _ world: RuleWorld, _ number: Int,
    _ executor: any TaskExecutor
  ) async throws {
    try await trial(
      StaticRules.Nullify.self, StaticRules.Nullify.self, onDelete, onTargetDelete, world, number,
      executor)
  }

  private static func one<A: StaticRule, B: StaticRule>(
    _ onDelete: A.Type, _ onTargetDelete: B.Type, _ world: RuleWorld, _ number: Int,
    _ executor: any TaskExecutor
  ) async throws {
    try await trial(
      onDelete, onTargetDelete, StaticRules.Nullify.self, StaticRules.Nullify.self, world, number,
      executor)
  }

  private static func trial<A: StaticRule, B: StaticRule, C: StaticRule, D: StaticRule>(
    _: A.Type, _: B.Type, _: C.Type, _: D.Type, _ world: RuleWorld, _ number: Int,
    _ executor: any TaskExecutor
  ) async throws {
    // Graphs of one shape put others in memory, so three nodes need one placement each.
    let isThorough = try Effort().scale >= 4 || world.nodes.count != 3
    for placement in isThorough ? DeletionPlacement.all : [.some(for: number)] {
      try await DeletionTrial<Rules<A, B, C, D>>.run(
        world, placement, toTheEnd: isThorough, on: executor)
    }
  }
}
