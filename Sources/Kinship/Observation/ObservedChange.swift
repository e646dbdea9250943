/// An element that an observer receives: the newest value, and the difference from the previous
/// element.
public protocol ObservedChange: Sendable {
  /// The observed value.
  associatedtype Value: Sendable
  /// The newest value.
  var value: Value { get }
  /// Whether something is still being loaded: the value holds the records in memory, and the
  /// complete one follows.
  var isLoading: Bool { get }
}
