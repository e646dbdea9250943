/// The result of looking up a ref in a graph.
public enum Lookup<R: GraphRecord>: Sendable {
  /// The record is in the graph.
  case loaded(Node<R>)
  /// The graph does not hold the record: the plan did not lead to it, its budget was spent, or it
  /// could not be loaded: ``Graph/failures`` says why.
  case unloaded(Ref<R>)
  /// The record does not exist.
  case missing(Ref<R>)

  /// The node, if the record is in the graph.
  public var node: Node<R>? {
    if case .loaded(let node) = self { node } else { nil }
  }

  /// The record, if it is in the graph.
  public var record: R? { node?.record }
}
