/// The shape of random graphs.
///
/// The default has every feature. With all probabilities at 0 a graph is a forest.
public struct GraphShape: Hashable, Sendable {
  /// How many nodes a graph has.
  public var nodeCount: ClosedRange<Int>

  /// The number of edges of a node, if there are targets for them.
  public var degree: ClosedRange<Int>

  /// The probability that an edge leads to any node, so that it may close a cycle.
  public var cycles: Double

  /// The probability that an edge leads to a node with other incoming edges.
  public var sharing: Double

  /// The probability that an edge leads back to its own node.
  public var selfReferences: Double

  /// The probability that an edge repeats another one of its node.
  public var repetitions: Double

  /// The probability that an edge leads to a missing node.
  public var dangling: Double

  /// Creates a shape.
  ///
  /// - Parameters:
  ///   - nodeCount: How many nodes a graph has.
  ///   - degree: How many edges lead from a node.
  ///   - cycles: The probability that an edge leads to any node.
  ///   - sharing: The probability that an edge leads to a node with other incoming edges.
  ///   - selfReferences: The probability that an edge leads back to its own node.
  ///   - repetitions: The probability that an edge repeats another one of its node.
  ///   - dangling: The probability that an edge leads to a missing node.
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

  /// A forest: each node has one incoming edge at most.
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
