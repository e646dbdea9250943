/// The limits within which a cache follows a store that others also change.
public struct FollowingLimits: Hashable, Sendable {
  /// The behavior of a cache that has not heard from the store for too long.
  public enum DuringOutage: Hashable, Sendable {
    /// Drop everything in memory, and keep doing so: a read comes from the store or fails.
    case drop
    /// Serve what is in memory; ``Kinship/GraphCache/Following/status-swift.property`` says that it
    /// may be old.
    case serve
  }

  /// The longest interval between two polls of the store.
  public let interval: Duration
  /// The longest time that memory may show a value after others have changed it in the store.
  public let maximumStaleness: Duration
  /// The behavior when `maximumStaleness` can no longer be guaranteed.
  public let duringOutage: DuringOutage

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - interval: The longest interval between two polls of the store. If the store signals
  ///     changes at once, this matters only when a signal fails.
  ///   - maximumStaleness: The longest time that memory may show a value after others have changed
  ///     it in the store: at least three times the interval.
  ///   - duringOutage: The behavior when `maximumStaleness` can no longer be guaranteed.
  public init(
    interval: Duration = .milliseconds(250), maximumStaleness: Duration = .seconds(1),
    duringOutage: DuringOutage = .drop
  ) {
    self.interval = max(interval, .milliseconds(1))
    self.maximumStaleness = max(maximumStaleness, self.interval * 3)
    self.duringOutage = duringOutage
  }
}
