package import Kinship

/// A record that is only a node of a graph, with ids of any type.
package struct TestNode<ID: TestID>: GraphRecord, Hashable, Codable {
  /// The id.
  package let id: ID

  /// Something to change.
  package var value: Int

  /// The cost of the record in memory.
  package var cost: Int

  /// The targets of the edges.
  package var links: [Ref<TestNode>]

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - value: A value to change.
  ///   - cost: The cost of the record in memory.
  ///   - links: The targets of the edges.
  package init(id: ID, value: Int = 0, cost: Int = 1, links: [Ref<TestNode>] = []) {
    self.id = id
    self.value = value
    self.cost = cost
    self.links = links
  }

  /// The record's own cost.
  package var cacheCost: Int { cost }

  /// The links.
  package static var relationships: Relationships<TestNode> {
    GenericStatics.value(of: self) { [.toMany(\.links)] }
  }
}

extension DirectedGraph {
  /// The nodes as records, without the missing targets of dangling edges.
  ///
  /// - Parameter type: The type of their ids. A node's id is that of its number.
  /// - Returns: One record for each node, in order.
  package func records<ID: TestID>(_ type: ID.Type = Int.self) -> [TestNode<ID>] {
    successors.enumerated().map { node, targets in
      TestNode(id: .numbered(node), value: node, links: targets.map { Ref(.numbered($0)) })
    }
  }
}
