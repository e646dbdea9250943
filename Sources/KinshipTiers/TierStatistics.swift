internal import Kinship

/// The size of the near store of a ``TieredStore``, and counts of its work.
public struct TierStatistics: Sendable {
  /// The number of copies, including stored query results.
  public internal(set) var copies = 0
  /// The sum of the sizes of the copies, in bytes as `CompactCoder` encodes them.
  public internal(set) var bytes = 0
  /// The number of records that fresh copies answered.
  public internal(set) var servedFresh = 0
  /// The number of records that copies answered because the far store was unreachable.
  public internal(set) var servedInOutage = 0
  /// The number of copies that were written or replaced.
  public internal(set) var kept = 0
  /// The number of copies that were evicted because a limit was reached.
  public internal(set) var evicted = 0
  /// The number of calls to the near store that failed.
  ///
  /// The `TieredStore` went on without it.
  public internal(set) var nearFailures = 0
  /// The last of these failures; `nil` if there was none.
  public internal(set) var lastNearFailure: (any Error)?
}
