/// The known records of one type, and the difference from the previous element.
public struct TypeChange<R: GraphRecord>: ObservedChange {
  /// By id, the records that are or have been in memory and have not been removed.
  public let value: [R.ID: R]
  /// The difference from the previous records; the first element differs from an empty set.
  public let diff: RecordDiff<R>

  /// Always `false`: records in memory are there at once, and others are not loaded.
  public var isLoading: Bool { false }
}
