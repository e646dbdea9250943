/// How closely a cache follows a store that others change too.
public struct FollowingLimits: Hashable, Sendable {
  /// What a cache does when it has not heard of the store for too long.
  public enum OutOfContact: Hashable, Sendable {
    /// It forgets what it holds, and goes on forgetting: what is read comes from the store, or not
    /// at all.
    case forget
    /// It serves what it holds; ``GraphCache/Following/status-swift.property`` says that it may be
    /// old.
    case serve
  }

  /// How often the store is asked, at least.
  public let interval: Duration
  /// For how long memory may show what has been changed in the store by others.
  public let maximumStaleness: Duration
  /// What to do when that cannot be told any longer.
  public let outOfContact: OutOfContact

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - interval: How often the store is asked, at least. Where it is told of changes at once,
  ///     this matters only when that fails.
  ///   - maximumStaleness: For how long memory may show what has been changed in the store by
  ///     others: at least three times the interval.
  ///   - outOfContact: What to do when that cannot be told any longer.
  public init(
    interval: Duration = .milliseconds(250), maximumStaleness: Duration = .seconds(1),
    outOfContact: OutOfContact = .forget
  ) {
    self.interval = max(interval, .milliseconds(1))
    self.maximumStaleness = max(maximumStaleness, self.interval * 3)
    self.outOfContact = outOfContact
  }
}
