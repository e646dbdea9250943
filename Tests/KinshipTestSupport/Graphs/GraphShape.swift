/// The shape of random graphs.
///
/// The default has some of everything. With all probabilities at 0 a graph is a forest.
public struct GraphShape: Hashable, Sendable {
  /// How many nodes a graph has.
  public var nodeCount: ClosedRange<Int>

  /// How many edges lead from a node, where there is something for them to lead to.
  public var degree: ClosedRange<Int>

  /// How likely an edge leads to any node, so that it may close a cycle.
  public var cycles: Double

  /// How likely an edge leads to a node that others lead to as well.
  public var sharing: Double

  /// How likely an edge leads back to its own node.
  public var selfReferences: Double

  /// How likely an edge repeats another one of its node.
  public var repetitions: Double

  /// How likely an edge leads to a node that does not exist.
  public var dangling: Double

  /// Creates a shape.
  ///
  /// - Parameters:
  ///   - nodeCount: How many nodes a graph has.
  ///   - degree: How many edges lead from a node.
  ///   - cycles: How likely an edge leads to any node.
  ///   - sharing: How likely an edge leads to a node that others lead to as well.
  ///   - selfReferences: How likely an edge leads back to its own node.
  ///   - repetitions: How likely an edge repeats another one of its node.
  ///   - dangling: How likely an edge leads to a node that does not exist.
  public init(
    nodeCount: ClosedRange<Int> = 1...30, degree: ClosedRange<Int> = 0...4,
    cycles: Double = 0.1, sharing: Double = 0.2, selfReferences: Double = 0.05,
    repetitions: Double = 0.05, dangling: Double = 0.05
  ) {
    self.nodeCount = nodeCount
    self.degree = degree
    self.cycles = cycles
    self.sharing = sharing
    self.selfReferences = selfReferences
    self.repetitions = repetitions
    self.dangling = dangling
  }

  /// A forest: no node is led to twice.
  ///
  /// - Parameters:
  ///   - nodeCount: How many nodes a graph has.
  ///   - degree: How many edges lead from a node.
  /// - Returns: The shape.
  public static func forest(
    nodeCount: ClosedRange<Int> = 1...30, degree: ClosedRange<Int> = 0...4
  ) -> GraphShape {
    GraphShape(
      nodeCount: nodeCount, degree: degree, cycles: 0, sharing: 0, selfReferences: 0,
      repetitions: 0, dangling: 0)
  }
}
