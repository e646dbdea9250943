/// The limits on concurrent requests to a backing store.
public struct FetchLimits: Hashable, Sendable {
  /// The largest number of ids in one call.
  public let batchSize: Int
  /// The largest number of calls that run at the same time.
  public let concurrentBatches: Int

  /// The time limit of a call that reads, by the cache's clock; `nil` for none.
  ///
  /// A call that takes longer fails with ``KinshipError/deadlineExceeded(_:_:)`` as the cause. It
  /// is cancelled, no longer counts as one of the concurrent calls, and a late answer is discarded.
  public let deadline: Duration?

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - batchSize: The largest number of ids in one call, at least 1. No limit by default.
  ///   - concurrentBatches: The largest number of calls that run at the same time, at least 1.
  ///   - deadline: The time limit of a call that reads, by the cache's clock; none by default.
  public init(batchSize: Int = .max, concurrentBatches: Int = 4, deadline: Duration? = nil) {
    self.deadline = deadline
    self.batchSize = batchSize.checked(atLeast: 1, "batchSize")
    self.concurrentBatches = concurrentBatches.checked(atLeast: 1, "concurrentBatches")
  }
}
