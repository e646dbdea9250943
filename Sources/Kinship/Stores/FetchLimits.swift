/// How much is asked of a backing store at a time.
public struct FetchLimits: Hashable, Sendable {
  /// The largest number of ids in one call.
  public let batchSize: Int
  /// The largest number of calls that run at the same time.
  public let concurrentBatches: Int

  /// How long a call that reads may take, by the cache's clock; `nil` for as long as it likes.
  ///
  /// One that takes longer fails with ``KinshipError/deadlineExceeded(_:_:)`` as the cause, is
  /// cancelled, and counts no longer among those that run at the same time; what it answers after
  /// all is discarded.
  public let deadline: Duration?

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - batchSize: The largest number of ids in one call, at least 1. No limit by default.
  ///   - concurrentBatches: The largest number of calls that run at the same time, at least 1.
  ///   - deadline: How long a call that reads may take, by the cache's clock; as long as it likes
  ///     by default.
  public init(batchSize: Int = .max, concurrentBatches: Int = 4, deadline: Duration? = nil) {
    self.deadline = deadline
    self.batchSize = batchSize.checked(atLeast: 1, "batchSize")
    self.concurrentBatches = concurrentBatches.checked(atLeast: 1, "concurrentBatches")
  }
}
