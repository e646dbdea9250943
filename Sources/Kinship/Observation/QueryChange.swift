/// The answer to a query as it is, and how it differs from what the observer was told before.
public struct QueryChange<R: GraphRecord>: ObservedChange {
  /// The records, in the order of the query.
  public let value: RecordList<R>
  /// How the answer differs from the one before, by positions and records; the first one differs
  /// from an empty answer.
  public let diff: ListDiff<R>
  /// `false`: a query has no answer before it is complete.
  public var isLoading: Bool { false }
}
