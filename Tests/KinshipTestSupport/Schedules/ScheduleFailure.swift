/// An interleaving in which something went wrong.
public struct ScheduleFailure: Error, Sendable, CustomStringConvertible {
  /// The seed that makes the same interleaving again.
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
