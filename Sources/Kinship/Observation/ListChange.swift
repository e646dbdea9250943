/// A list of records, and the difference from the previous element.
public struct ListChange<R: GraphRecord>: ObservedChange {
  /// The records that exist, in the order of the refs; while it is loading, those in memory.
  public let value: [R]
  /// The difference from the previous list; the first list differs from an empty one.
  public let diff: ListDiff<R>
  /// Whether some of the records are still to be loaded.
  public let isLoading: Bool

  @inlinable
  init(value: [R], diff: ListDiff<R>, isLoading: Bool) {
    (self.value, self.diff, self.isLoading) = (value, diff, isLoading)
  }
}
