/// The vertices of a directed graph, in groups of those that can all reach one another.
///
/// Tarjan's algorithm, with its recursion on a stack of its own: a line of ancestors can be as
/// deep as a file is long.
struct StronglyConnectedComponents {
  /// The components; each comes after all those that it leads to.
  private(set) var components: [[Int]] = []

  private let edges: [[Int]]
  private var indices: [Int?]
  private var lowLinks: [Int]
  private var isOnStack: [Bool]
  private var stack: [Int] = []
  private var visited = 0

  /// Finds the components of a graph that is given by the targets of each vertex.
  init(_ edges: [[Int]]) {
    self.edges = edges
    indices = Array(repeating: nil, count: edges.count)
    lowLinks = Array(repeating: 0, count: edges.count)
    isOnStack = Array(repeating: false, count: edges.count)
    for vertex in edges.indices where indices[vertex] == nil { visit(vertex) }
  }

  private mutating func visit(_ root: Int) {
    var calls = [(vertex: root, nextEdge: 0)]
    enter(root)
    while let (vertex, nextEdge) = calls.last {
      guard nextEdge < edges[vertex].count else {
        calls.removeLast()
        leave(vertex)
        if let caller = calls.last?.vertex {
          lowLinks[caller] = min(lowLinks[caller], lowLinks[vertex])
        }
        continue
      }
      calls[calls.count - 1].nextEdge += 1
      let target = edges[vertex][nextEdge]
      if let index = indices[target] {
        if isOnStack[target] { lowLinks[vertex] = min(lowLinks[vertex], index) }
      } else {
        enter(target)
        calls.append((target, 0))
      }
    }
  }

  private mutating func enter(_ vertex: Int) {
    indices[vertex] = visited
    lowLinks[vertex] = visited
    visited += 1
    stack.append(vertex)
    isOnStack[vertex] = true
  }

  private mutating func leave(_ vertex: Int) {
    guard lowLinks[vertex] == indices[vertex] else { return }
    var component: [Int] = []
    while let member = stack.popLast() {
      isOnStack[member] = false
      component.append(member)
      if member == vertex { break }
    }
    components.append(component)
  }
}
