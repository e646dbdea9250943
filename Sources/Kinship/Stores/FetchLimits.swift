/// The limits on concurrent requests to a backing store.
///
/// Before the cache asks, it lets tasks that are ready to run have their turn, without a timer.
/// Then it makes one batch for each record type. Requests beyond the limits queue up, and the types
/// take turns.
///
/// If a store does not answer, its callers wait until they are cancelled, and the call counts as
/// one of the ``concurrentBatches`` until `fetch` returns, unless there is a ``deadline``.
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
