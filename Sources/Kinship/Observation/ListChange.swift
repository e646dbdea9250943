/// A list of records as it is, and how it differs from what the observer was told before.
public struct ListChange<R: GraphRecord>: ObservedChange {
  /// The records that exist, in the order of the refs; while it is loading, those in memory.
  public let value: [R]
  /// How the list differs from the one before; the first one differs from an empty list.
  public let diff: ListDiff<R>
  /// Whether some of the records are still to be loaded.
  public let isLoading: Bool

  @inlinable
  init(value: [R], diff: ListDiff<R>, isLoading: Bool) {
    (self.value, self.diff, self.isLoading) = (value, diff, isLoading)
  }
}
