/// An observed value, and the difference from the previous element.
public struct ObservedChange<Value: Sendable, Diff: ObservedDifference>: Sendable {
  /// The newest value: while it is loading, the part in memory.
  public let value: Value
  /// The difference from the previous value; the first one differs from an empty value.
  public let diff: Diff
  /// Whether something is still to be loaded: the complete value follows.
  public let isLoading: Bool

  @inlinable
  init(value: Value, diff: Diff, isLoading: Bool = false) {
    (self.value, self.diff, self.isLoading) = (value, diff, isLoading)
  }
}

/// A difference between two values of something observed.
public protocol ObservedDifference: Sendable {
  /// The records that may differ.
  associatedtype Record: Sendable
}
