/// A graph as it is, and how it differs from what the observer was told before.
public struct GraphChange<Root: GraphRecord>: ObservedChange {
  /// The graph, or `nil` if its root does not exist, or is not loaded yet.
  ///
  /// While it is loading, it holds what is in memory: refs that lead further are unloaded.
  public let value: Graph<Root>?
  /// How the records of the graph differ from those of the one before.
  ///
  /// A removed record is one that the graph does not hold any longer: it may exist, and no
  /// relationship that the plan follows lead to it.
  public let diff: RecordDiff<any GraphRecord>
  /// Whether some of the graph is still to be loaded.
  public let isLoading: Bool
}
