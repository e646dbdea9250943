import Kinship
import KinshipTestSupport
import Testing

@testable import KinshipTrials

/// The shortest paths of a graph, compared with a search over the same records.
struct GraphPathTests {
  private typealias Node = TestNode<Int>

  @Test func `a path is as short as a breadth-first search finds`() async throws {
    for seed in try Effort().seeds(40) {
      var generator = SplitMix64(seed: seed)
      let world = DirectedGraph.random(GraphShape(nodeCount: 2...14), using: &generator)
      let cache = try GraphCache(for: Node.self, store: MemoryStore(world.records()))
      let graph = try await cache.graph(of: Ref<Node>(0), .generations(4))
      let search = BoundedSearch(world, from: 0, generations: 4)
      for forwardOnly in [false, true] {
        for start in search.order {
          let distances = search.distances(from: start, in: world, forwardOnly: forwardOnly)
          for end in 0..<world.nodeCount {
            let path = graph.shortestPath(
              from: Ref<Node>(start), to: Ref<Node>(end), forwardOnly: forwardOnly)
            try verifyEqual(path?.count, distances[end], "the path from \(start) to \(end)")
            try verify(path ?? [], leadsFrom: start, to: end, in: world, isPath: path != nil)
          }
        }
      }
    }
  }

  /// Verifies that each step is an edge of the world, in its direction.
  private func verify(
    _ steps: [PathStep], leadsFrom start: Int, to end: Int, in world: DirectedGraph, isPath: Bool
  ) throws {
    guard isPath else { return }
    var place = start
    for step in steps {
      let next = try #require(step.ref.as(Node.self)).id
      let (from, to) = step.direction == .forward ? (place, next) : (next, place)
      try verifyEqual(step.relationship, "links", "the relationship")
      try KinshipTestSupport.verify(world.successors[from].contains(to), "\(from) leads to \(to)")
      place = next
    }
    try verifyEqual(place, end, "the end of the path")
  }

  @Test func `a record outside the graph has no path`() async throws {
    let world = DirectedGraph(successors: [[1], [2], []])
    let cache = try GraphCache(for: Node.self, store: MemoryStore(world.records()))
    let graph = try await cache.graph(of: Ref<Node>(0), .generations(1))
    #expect(graph.shortestPath(from: Ref<Node>(0), to: Ref<Node>(2)) == nil)
    #expect(graph.shortestPath(from: Ref<Node>(2), to: Ref<Node>(2)) == nil)
    #expect(graph.shortestPath(from: Ref<Node>(1), to: Ref<Node>(1)) == [])
    #expect(graph.shortestPath(from: Ref<Node>(0), to: Ref<TestPlace>(0)) == nil)
    #expect(
      graph.shortestPath(from: Ref<Node>(1), to: Ref<Node>(0))?.map(\.direction) == [.backward])
    #expect(graph.shortestPath(from: Ref<Node>(1), to: Ref<Node>(0), forwardOnly: true) == nil)
  }
}
