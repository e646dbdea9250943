import KinshipTestSupport

/// The records that a plan for every link must load of a directed graph: a breadth-first search,
/// cut off after some generations and some nodes.
struct BoundedSearch {
  /// The nodes, nearest first.
  private(set) var order: [Int] = []
  private(set) var generations: [Int: Int] = [:]
  /// The missing targets of followed edges.
  private(set) var missing: Set<Int> = []

  /// Searches.
  ///
  /// - Parameters:
  ///   - graph: The graph. Edges beyond its nodes dangle.
  ///   - root: Where to start.
  ///   - generations: How many hops to go.
  ///   - budget: How many nodes there may be.
  init(_ graph: DirectedGraph, from root: Int, generations: Int, budget: Int = .max) {
    order = [root]
    self.generations = [root: 0]
    var head = 0
    while head < order.count {
      let node = order[head]
      head += 1
      guard let distance = self.generations[node], distance < generations else { continue }
      for target in graph.successors[node]
      where self.generations[target] == nil && order.count < budget {
        if target < graph.nodeCount {
          self.generations[target] = distance + 1
          order.append(target)
        } else {
          missing.insert(target)
        }
      }
    }
  }

  /// The number of generations with a record that is not in memory: each needs a call to the store.
  func storeCalls(cached: Set<Int>) -> Int {
    Set(order.filter { !cached.contains($0) }.compactMap { generations[$0] }).count
  }

  /// The lengths of the shortest paths from a node to the others within what was found.
  ///
  /// - Parameters:
  ///   - start: The node.
  ///   - graph: The graph that was searched.
  ///   - forwardOnly: Whether edges lead one way only.
  /// - Returns: The number of hops to each node that can be reached.
  func distances(
    from start: Int, in graph: DirectedGraph, forwardOnly: Bool
  ) -> [Int: Int] {
    var distances = [start: 0]
    var queue = [start]
    var head = 0
    while head < queue.count {
      let node = queue[head]
      head += 1
      var neighbours = graph.successors[node]
      if !forwardOnly { neighbours += order.filter { graph.successors[$0].contains(node) } }
      for neighbour in neighbours
      where generations[neighbour] != nil && distances[neighbour] == nil {
        distances[neighbour] = distances[node, default: 0] + 1
        queue.append(neighbour)
      }
    }
    return distances
  }
}
