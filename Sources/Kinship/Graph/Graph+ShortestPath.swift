/// One step on a path through a graph.
public struct PathStep: Hashable, Sendable {
  /// The direction of a step: from the record that holds the ref, or to it.
  public enum Direction: Hashable, Sendable {
    /// Along the relationship: from a child to the father.
    case forward
    /// Against it: from the father to a child that names him.
    case backward
  }

  /// The name of the relationship.
  public let relationship: String
  /// Along or against the relationship.
  public let direction: Direction
  /// The record that the step leads to.
  public let ref: AnyRef
}

extension Graph {
  /// Returns the shortest path between two records of the graph.
  ///
  /// By default, the path follows relationships in both directions: two cousins are connected
  /// through the grandparents that both name.
  ///
  /// - Parameters:
  ///   - start: The ref at which the path begins.
  ///   - end: The ref at which it ends.
  ///   - forwardOnly: Whether to follow relationships only in their own direction.
  /// - Returns: The steps, none if both are the same record; `nil` if the graph does not hold both
  ///   or does not connect them.
  /// - Complexity: O(*n*) in the records and their refs.
  public func shortestPath<A: GraphRecord, B: GraphRecord>(
    from start: Ref<A>, to end: Ref<B>, forwardOnly: Bool = false
  ) -> [PathStep]? {
    guard let start = storage.key(of: AnyRef(start)), let end = storage.key(of: AnyRef(end)) else {
      return nil
    }
    typealias Arrival = (from: NodeKey, relationship: String, direction: PathStep.Direction)
    var arrivals: [NodeKey: Arrival?] = [start: nil]
    var queue = [start]
    var head = 0
    while head < queue.count, arrivals[end] == nil {
      let node = queue[head]
      head += 1
      for edge in storage.edges(of: node) where edge.link >= 0 {
        let target = NodeKey(type: edge.target.index, index: Int(edge.link))
        guard arrivals[target] == nil else { continue }
        arrivals[target] = .some((node, edge.name, .forward))
        queue.append(target)
      }
      for edge in forwardOnly ? [] : storage.schema.referrers[Int(node.type)] {
        for place in storage.referrers(of: node, by: edge.id) {
          let source = NodeKey(type: edge.id.source.index, index: Int(place))
          guard arrivals[source] == nil else { continue }
          arrivals[source] = .some((node, edge.name, .backward))
          queue.append(source)
        }
      }
    }
    guard arrivals[end] != nil else { return nil }
    var steps: [PathStep] = []
    var node = end
    while let arrival = arrivals[node] ?? nil {
      steps.append(
        PathStep(
          relationship: arrival.relationship, direction: arrival.direction,
          ref: storage.ref(of: node)))
      node = arrival.from
    }
    return steps.reversed()
  }
}
