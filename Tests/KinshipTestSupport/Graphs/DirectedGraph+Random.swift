extension DirectedGraph {
  /// Makes a random graph.
  ///
  /// - Parameters:
  ///   - shape: The shape of the graph.
  ///   - generator: The source of the choices.
  /// - Returns: The graph. Dangling edges lead to nodes in `nodeCount..<2 * nodeCount`.
  /// - Precondition: The shape allows no graph without nodes.
  /// - Complexity: O(nodes + edges)
  package static func random(
    _ shape: GraphShape = GraphShape(), using generator: inout SplitMix64
  ) -> DirectedGraph {
    precondition(shape.nodeCount.lowerBound > 0, "a random graph has one node at least")
    let nodeCount = Int.random(in: shape.nodeCount, using: &generator)
    var firstUnreferenced = 1
    let successors = (0..<nodeCount).map { node in
      var targets: [Int] = []
      for _ in 0..<Int.random(in: shape.degree, using: &generator) {
        firstUnreferenced = max(firstUnreferenced, node + 1)
        if let repeated = targets.randomElement(using: &generator),
          generator.chance(shape.repetitions)
        {
          targets.append(repeated)
        } else if generator.chance(shape.dangling) {
          targets.append(nodeCount + Int.random(in: 0..<nodeCount, using: &generator))
        } else if generator.chance(shape.selfReferences) {
          targets.append(node)
        } else if generator.chance(shape.cycles) {
          targets.append(Int.random(in: 0..<nodeCount, using: &generator))
        } else if node + 1 < nodeCount, generator.chance(shape.sharing) {
          targets.append(Int.random(in: node + 1..<nodeCount, using: &generator))
        } else if firstUnreferenced < nodeCount {
          targets.append(firstUnreferenced)
          firstUnreferenced += 1
        }
      }
      return targets
    }
    return DirectedGraph(successors: successors)
  }
}
