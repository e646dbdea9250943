internal import Kinship

/// The limits for the size and the age of the copies that a ``TieredStore`` keeps near.
public struct TierPolicy: Hashable, Sendable {
  /// The maximum age of a copy that is returned without asking the far store, unless the reader
  /// sets one.
  ///
  /// With `.zero`, every read asks the far store.
  ///
  /// A copy's age counts from the request to the far store, also while the program does not run.
  /// The tiered store reads the time of day once when it is created, and then uses a clock that
  /// nobody can set. If the time of day was set back and a copy lies in the future, it is fetched
  /// again if possible; otherwise its age is the time by which it lies ahead. If the time was set
  /// back between two runs and no copy lies ahead, copies count as younger than they are. This
  /// cannot be detected.
  public var freshness: Duration
  /// The maximum age of a copy that is returned while the far store is unreachable, unless the
  /// reader sets one; `nil` for no limit.
  public var outageLimit: Duration?
  /// The maximum number of copies, including stored query results; at least 0.
  public var count: Int { didSet { count = count.checked(atLeast: 0, "count") } }
  /// The maximum sum of the sizes of the copies, in bytes as `CompactCoder` encodes them; at least
  /// 0.
  ///
  /// The overhead of the near store is not known, and not included.
  public var bytes: Int { didSet { bytes = bytes.checked(atLeast: 0, "bytes") } }

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - freshness: The maximum age of a copy that is returned without asking the far store. One
  ///     minute by default.
  ///   - outageLimit: The maximum age of a copy that is returned while the far store is
  ///     unreachable. No limit by default.
  ///   - count: The maximum number of copies, at least 0; 100,000 by default.
  ///   - bytes: The maximum sum of their sizes in bytes, at least 0; 64 MiB by default.
  public init(
    freshness: Duration = .seconds(60), outageLimit: Duration? = nil, count: Int = 100_000,
    bytes: Int = 64 << 20
  ) {
    self.freshness = freshness
    self.outageLimit = outageLimit
    self.count = count.checked(atLeast: 0, "count")
    self.bytes = bytes.checked(atLeast: 0, "bytes")
  }
}
