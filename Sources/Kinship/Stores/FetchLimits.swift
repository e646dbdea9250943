/// How much is asked of a backing store at a time.
public struct FetchLimits: Hashable, Sendable {
  /// The largest number of ids in one call.
  public let batchSize: Int
  /// The largest number of calls that run at the same time.
  public let concurrentBatches: Int

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - batchSize: The largest number of ids in one call, at least 1. No limit by default.
  ///   - concurrentBatches: The largest number of calls that run at the same time, at least 1.
  public init(batchSize: Int = .max, concurrentBatches: Int = 4) {
    self.batchSize = max(1, batchSize)
    self.concurrentBatches = max(1, concurrentBatches)
  }
}
