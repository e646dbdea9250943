/// A bare graph, from which tests make records and expected answers.
///
/// Nodes are `0..<nodeCount`. An edge may be repeated, may lead back to its own node, and may
/// dangle: lead to a node that does not exist.
public struct DirectedGraph: Hashable, Sendable {
  /// The targets of each node's edges, in order.
  public var successors: [[Int]]

  /// Creates a graph.
  ///
  /// - Parameter successors: The targets of each node's edges.
  public init(successors: [[Int]]) {
    self.successors = successors
  }

  /// How many nodes there are.
  public var nodeCount: Int { successors.count }

  /// How many edges there are, repeated and dangling ones included.
  public var edgeCount: Int { successors.reduce(0) { $0 + $1.count } }

  /// The missing nodes that edges lead to.
  public var danglingTargets: Set<Int> {
    Set(successors.joined().filter { !successors.indices.contains($0) })
  }

  /// The distance of every node from a root, by breadth-first search.
  ///
  /// - Parameter root: The node at distance 0.
  /// - Returns: For each node the length of the shortest path to it, or `nil` if there is none.
  /// - Complexity: O(nodes + edges)
  public func distances(from root: Int) -> [Int?] {
    var distances: [Int?] = Array(repeating: nil, count: nodeCount)
    distances[root] = 0
    var frontier = [root]
    var distance = 0
    while !frontier.isEmpty {
      distance += 1
      var next: [Int] = []
      for target in frontier.lazy.flatMap({ successors[$0] })
      where successors.indices.contains(target) && distances[target] == nil {
        distances[target] = distance
        next.append(target)
      }
      frontier = next
    }
    return distances
  }

  /// Whether some path leads from a node back to it.
  ///
  /// - Complexity: O(nodes + edges)
  public var isCyclic: Bool {
    // Nodes without incoming edges are removed until none is left, or only cycles are.
    var inDegrees = Array(repeating: 0, count: nodeCount)
    for target in successors.joined() where successors.indices.contains(target) {
      inDegrees[target] += 1
    }
    var sources = inDegrees.indices.filter { inDegrees[$0] == 0 }
    var taken = 0
    while let source = sources.popLast() {
      taken += 1
      for target in successors[source] where successors.indices.contains(target) {
        inDegrees[target] -= 1
        if inDegrees[target] == 0 { sources.append(target) }
      }
    }
    return taken < nodeCount
  }
}

extension DirectedGraph: CustomStringConvertible {
  /// The nodes with their successors, such as `0→1,2 1→0 2`.
  public var description: String {
    successors.enumerated().map { node, targets in
      targets.isEmpty ? "\(node)" : "\(node)→\(targets.map(String.init).joined(separator: ","))"
    }.joined(separator: " ")
  }
}
