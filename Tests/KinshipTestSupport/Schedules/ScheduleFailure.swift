/// An interleaving that failed.
public struct ScheduleFailure: Error, Sendable, CustomStringConvertible {
  /// The seed that repeats the interleaving.
  public let seed: UInt64

  /// The error that was thrown.
  public let cause: any Error

  /// The choices that led there.
  public let trace: ScheduleTrace

  /// The cause, the choices, and how to replay.
  public var description: String {
    """
    A schedule failed with seed \(seed):
    \(type(of: cause)): \(cause)
    \(trace)
    Replay: KINSHIP_SEED=\(seed)
    """
  }
}
