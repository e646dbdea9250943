internal import Kinship

/// What a ``TieredStore`` has near, and what it has done.
public struct TierStatistics: Sendable {
  /// The number of copies, kept answers included.
  public internal(set) var copies = 0
  /// The sum of their bytes, as `CompactCoder` writes them.
  public internal(set) var bytes = 0
  /// How many records were answered by copies that were young enough.
  public internal(set) var servedFresh = 0
  /// How many records were answered by copies since the far store was out of reach.
  public internal(set) var servedInOutage = 0
  /// How many copies were made or made anew.
  public internal(set) var kept = 0
  /// How many copies were dropped because there were too many.
  public internal(set) var evicted = 0
  /// How many calls of the near store have failed, and were passed over.
  public internal(set) var nearFailures = 0
  /// The last of these failures; `nil` if there was none.
  public internal(set) var lastNearFailure: (any Error)?

  mutating func serve(_ count: Int, _ use: TierUse) {
    if use.isInOutage { servedInOutage += count } else { servedFresh += count }
  }
}
