import KinshipTestSupport

/// The existing nodes, and the targets of their relationships.
struct RuleWorld: Hashable, Sendable {
  struct Links: Hashable, Sendable {
    var one: Int?
    var many: [Int] = []

    subscript(relationship: Relationship) -> [Int] {
      switch relationship {
      case .one: one.map { [$0] } ?? []
      case .many: many
      }
    }
  }

  enum Relationship: String, CaseIterable, Sendable { case one, many }

  var nodes: [Int: Links]

  /// A graph whose edges are to-many.
  init(many graph: DirectedGraph) {
    nodes = Dictionary(
      uniqueKeysWithValues: graph.successors.enumerated().map { ($0, Links(many: $1)) })
  }

  /// A graph whose edges are to-one, or `nil` if it has others.
  init?(one graph: DirectedGraph) {
    if graph.successors.contains(where: { $0.count > 1 }) { return nil }
    nodes = Dictionary(
      uniqueKeysWithValues: graph.successors.enumerated().map { ($0, Links(one: $1.first)) })
  }

  /// Both relationships at random: some refs are dangling, and some are repeated.
  static func random(nodeCount: Int, using generator: inout SplitMix64) -> RuleWorld {
    var world = RuleWorld(many: DirectedGraph(successors: []))
    for node in 0..<nodeCount {
      var links = Links()
      if generator.chance(0.6) { links.one = Int.random(in: 0...nodeCount, using: &generator) }
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        links.many.append(Int.random(in: 0...nodeCount, using: &generator))
      }
      world.nodes[node] = links
    }
    return world
  }

  func records<Rules: RuleSet>(_ rules: Rules.Type) -> [RuleNode<Rules>] {
    nodes.sorted { $0.key < $1.key }.map { RuleNode($0, $1) }
  }
}
