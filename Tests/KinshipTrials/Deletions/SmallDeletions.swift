import KinshipTestSupport

/// The deletion of one record in every graph of four, by every rule.
package enum SmallDeletions {
  /// All pairs of a rule for deleting the referrer, and one for deleting the target.
  static let rules: [(any StaticRule.Type, any StaticRule.Type)] = StaticRules.all.flatMap {
    first in
    StaticRules.all.map { (first, $0) }
  }

  /// The graphs, except renamings of the three nodes that are not deleted.
  private static let graphs = Array(DirectedGraph.all(nodeCount: 4).filter(isFirstOfItsNames))

  /// The numbers of the pairs of rules.
  package static var allRules: Range<Int> { rules.indices }

  /// Tries a quarter of the graphs for each pair of rules, so that each graph gets four pairs; with
  /// a hundred times the effort of a thorough run, all of them, and below one, some of them.
  ///
  /// - Parameter number: The number of the pair of rules.
  /// - Returns: How many graphs were tried.
  /// - Throws: `Mismatch` if a deletion differs from the reference.
  package static func everyGraphOfFour(rules number: Int) throws -> Int {
    let (onDelete, onTargetDelete) = rules[number]
    try verify(graphs.count > 1 << 16 / 6, "too few graphs: \(graphs.count)")
    let effort = try Effort()
    let tried =
      effort.scale >= 100
      ? Array(graphs.indices)
      : effort.some(of: graphs.indices.filter { ($0 + number) % 4 == 0 })
    try Schedule.run(seed: 1, limit: .max) { schedule in
      for index in tried {
        let graph = graphs[index]
        try await once(
          onDelete, onTargetDelete, RuleWorld(many: graph), .some(for: index), schedule.executor)
      }
    }
    return tried.count
  }

  /// Whether a graph is the first of those that differ in the names of its last three nodes.
  private static func isFirstOfItsNames(_ graph: DirectedGraph) -> Bool {
    let names = [[0, 1, 3, 2], [0, 2, 1, 3], [0, 2, 3, 1], [0, 3, 1, 2], [0, 3, 2, 1]]
    return names.allSatisfy { name in
      var renamed = Array(repeating: [Int](), count: 4)
      for (node, successors) in graph.successors.enumerated() {
        renamed[name[node]] = successors.map { name[$0] }.sorted()
      }
      return !renamed.lexicographicallyPrecedes(graph.successors) {
        $0.lexicographicallyPrecedes($1)
      }
    }
  }

  /// Deletes the first node.
  private static func once<A: StaticRule, B: StaticRule>(
    _: A.Type, _: B.Type, _ world: RuleWorld, _ placement: DeletionPlacement,
    _ executor: any TaskExecutor
  ) async throws {
    try await DeletionTrial<Rules<StaticRules.Nullify, StaticRules.Nullify, A, B>>.run(
      world, placement, toTheEnd: false, on: executor)
  }
}
