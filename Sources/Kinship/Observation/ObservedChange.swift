/// What an observer is told: the newest value, and how it differs from the one it was told before.
public protocol ObservedChange: Sendable {
  /// What is observed.
  associatedtype Value: Sendable
  /// The newest value.
  var value: Value { get }
  /// Whether something is still to be loaded: the value holds what is in memory, and the complete
  /// one follows.
  var isLoading: Bool { get }
}
