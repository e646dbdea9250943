import KinshipTestSupport
import Testing

struct DirectedGraphTests {
  @Test func `all small graphs are enumerated once`() {
    for (nodeCount, count) in [(0, 1), (1, 2), (2, 16), (3, 512)] {
      let graphs = DirectedGraph.all(nodeCount: nodeCount)
      #expect(Set(graphs).count == count)
      #expect(graphs.allSatisfy { $0.nodeCount == nodeCount && $0.danglingTargets.isEmpty })
    }
    #expect(DirectedGraph.all(nodeCount: 4).count == 65_536)
  }

  @Test func `an adjacency matrix is read row by row`() {
    let graph = DirectedGraph(adjacency: 0b100_001_110, nodeCount: 3)
    #expect(graph.successors == [[1, 2], [0], [2]])
    #expect(graph.description == "0→1,2 1→0 2→2")
    #expect(graph.edgeCount == 4)
  }

  /// Distances in another way: the smallest power of the adjacency relation that reaches a node.
  @Test func `distances equal the lengths of shortest paths`() {
    for graph in DirectedGraph.all(nodeCount: 3) {
      var reached: [Int?] = [0, nil, nil]
      var layer: Set<Int> = [0]
      for distance in 1...3 {
        layer = Set(layer.flatMap { graph.successors[$0] })
        for node in layer where reached[node] == nil { reached[node] = distance }
      }
      #expect(graph.distances(from: 0) == reached, "\(graph)")
    }
  }

  @Test func `cycles are found`() {
    for graph in DirectedGraph.all(nodeCount: 3) {
      let isCyclic = (0..<3).contains { start in
        var layer: Set<Int> = [start]
        return (0..<3).contains { _ in
          layer = Set(layer.flatMap { graph.successors[$0] })
          return layer.contains(start)
        }
      }
      #expect(graph.isCyclic == isCyclic, "\(graph)")
    }
  }

  @Test func `random graphs have every kind of feature`() throws {
    var generator = SplitMix64(seed: 1)
    let graphs = (0..<500).map { _ in DirectedGraph.random(using: &generator) }
    #expect(Set(graphs.map(\.nodeCount)) == Set(1...30))
    #expect(graphs.contains { $0.isCyclic })
    #expect(graphs.contains { !$0.isCyclic && $0.edgeCount > 5 })
    #expect(graphs.contains { !$0.danglingTargets.isEmpty })
    #expect(graphs.contains { graph in graph.successors.contains { Set($0).count < $0.count } })
    #expect(graphs.contains { $0.successors.enumerated().contains { $1.contains($0) } })
    #expect(graphs.allSatisfy { $0.successors.allSatisfy { $0.count <= 4 } })
    #expect(Set(graphs).count > 400)
  }

  @Test func `a forest has one edge to each node at most`() throws {
    for seed in try Effort().seeds(200) {
      var generator = SplitMix64(seed: seed)
      let graph = DirectedGraph.random(.forest(), using: &generator)
      let targets = Array(graph.successors.joined())
      #expect(Set(targets).count == targets.count, "seed \(seed): \(graph)")
      #expect(!graph.isCyclic)
      #expect(graph.danglingTargets.isEmpty)
    }
  }

  @Test func `a full forest is one tree`() {
    var generator = SplitMix64(seed: 1)
    let tree = DirectedGraph.random(.forest(nodeCount: 15...15, degree: 2...2), using: &generator)
    #expect(tree.distances(from: 0) == [0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3])
  }

  @Test func `a seed always generates the same graph`() {
    var first = SplitMix64(seed: 9)
    var second = SplitMix64(seed: 9)
    #expect(DirectedGraph.random(using: &first) == DirectedGraph.random(using: &second))
  }
}
