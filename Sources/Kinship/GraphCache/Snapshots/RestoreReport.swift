extension GraphCache {
  /// What restoring a snapshot has come to.
  public struct RestoreReport: Sendable {
    /// How many records were put back.
    public let restored: Int
    /// How many were not, since the cache knew better: it had the record, or it was written,
    /// removed or evicted meanwhile.
    public let known: Int
    /// How many were left out as too old.
    public let outdated: Int
    /// How many have a type that there is no longer, by ``Migrations/removing(_:)``.
    public let removed: Int
    /// Whether there was no room for all: then the most recently used records were put back.
    public let isFull: Bool
    /// How long ago the snapshot was taken, by the clocks on the wall.
    public let age: Duration
    /// The place in a store's log up to which all that was restored is known, if the cache followed
    /// a store when the snapshot was taken.
    public let cursor: StoreCursor?
    /// Why which parts of a damaged file are missing: nothing, unless it was salvaged.
    public let failures: [KinshipError]
    /// The leases that were held under a name when the snapshot was taken: they end when they are
    /// no longer referenced.
    public let leases: [String: Lease]
  }
}
