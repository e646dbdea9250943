/// A value whose lifetime a ``LifetimeTracker`` counts, and that is otherwise like any other.
public struct Tracked<Value> {
  /// The value.
  public var value: Value

  private let lifetime: LifetimeTracker.Lifetime

  init(_ value: Value, lifetime: LifetimeTracker.Lifetime) {
    self.value = value
    self.lifetime = lifetime
  }
}

extension Tracked: Sendable where Value: Sendable {}

extension Tracked: Equatable where Value: Equatable {
  /// Whether the values are equal, whatever their lifetimes.
  ///
  /// - Parameters:
  ///   - left: One value.
  ///   - right: The other.
  /// - Returns: `true` if they are equal.
  public static func == (left: Tracked, right: Tracked) -> Bool {
    left.value == right.value
  }
}

extension Tracked: Hashable where Value: Hashable {
  /// Hashes the value alone.
  ///
  /// - Parameter hasher: The hasher to feed.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
  }
}

extension Tracked: CustomStringConvertible {
  /// The description of the value.
  public var description: String { String(describing: value) }
}
