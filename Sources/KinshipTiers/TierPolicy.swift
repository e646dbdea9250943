internal import Kinship

/// What a ``TieredStore`` keeps near, and how old it may be.
public struct TierPolicy: Hashable, Sendable {
  /// How old a copy may be and be answered without asking the far store, where the reader has not
  /// said; `.zero` asks for everything.
  public var freshness: Duration
  /// How old a copy may be and be answered while the far store is out of reach, where the reader
  /// has not said; `nil` for as old as it is.
  public var outageLimit: Duration?
  /// The largest number of copies, kept answers included, at least 0.
  public var count: Int { didSet { count = count.checked(atLeast: 0, "count") } }
  /// The largest sum of the copies' bytes, as `CompactCoder` writes them, at least 0: what the
  /// near store needs beyond that is not known.
  public var bytes: Int { didSet { bytes = bytes.checked(atLeast: 0, "bytes") } }

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - freshness: How old a copy may be that is answered without asking. A minute by default.
  ///   - outageLimit: How old a copy may be that is answered while the far store is out of reach.
  ///     As old as it is by default.
  ///   - count: The largest number of copies, at least 0; 100,000 by default.
  ///   - bytes: The largest sum of their bytes, at least 0; 64 MiB by default.
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
