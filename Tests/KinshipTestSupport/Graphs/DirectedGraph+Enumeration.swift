extension DirectedGraph {
  /// Creates the graph of an adjacency matrix.
  ///
  /// - Parameters:
  ///   - adjacency: The matrix, row by row from the lowest bit: bit *from* × `nodeCount` + *to* is
  ///     set if an edge leads *from* one node *to* another.
  ///   - nodeCount: How many nodes there are.
  /// - Precondition: `nodeCount` is 8 at most.
  public init(adjacency: UInt64, nodeCount: Int) {
    precondition((0...8).contains(nodeCount), "64 bits are a matrix of 8 nodes at most")
    successors = (0..<nodeCount).map { from in
      (0..<nodeCount).filter { to in
        adjacency >> UInt64(from * nodeCount + to) & 1 == 1
      }
    }
  }

  /// Every graph of so many nodes, self-references included, without repeated edges.
  ///
  /// There are 2, 16, 512 and 65,536 graphs of one to four nodes. A property that holds for all of
  /// them is seldom wrong for larger ones.
  ///
  /// - Parameter nodeCount: How many nodes each has.
  /// - Returns: The graphs, created on demand.
  /// - Precondition: `nodeCount` is 5 at most.
  public static func all(
    nodeCount: Int
  ) -> LazyMapSequence<Range<UInt64>, DirectedGraph> {
    precondition((0...5).contains(nodeCount), "nobody waits for all graphs of 6 nodes")
    let count: UInt64 = 1 << UInt64(nodeCount * nodeCount)
    return (0..<count).lazy.map { DirectedGraph(adjacency: $0, nodeCount: nodeCount) }
  }
}
