extension GraphCache {
  /// The outcome of restoring a snapshot.
  public struct RestoreReport: Sendable {
    /// The number of records restored.
    public let restored: Int
    /// The number of records skipped because the cache already had them, or because they were
    /// written, removed or evicted meanwhile.
    public let known: Int
    /// The number of records skipped because they were too old.
    public let outdated: Int
    /// The number of records whose type no longer exists, by ``Migrations/removing(_:)``.
    public let removed: Int
    /// Whether the records did not all fit, so that only the most recently used were restored.
    public let isFull: Bool
    /// The time since the snapshot was taken, by wall clock.
    public let age: Duration
    /// The position in the store's log up to which the restored records are known; `nil` if the
    /// cache did not follow a store when the snapshot was taken, or had not caught up with it yet.
    public let cursor: StoreCursor?
    /// The reasons why parts of a damaged file are missing: empty, unless the file was salvaged.
    public let failures: [KinshipError]
    /// The leases by their names when the snapshot was taken; they end when they are no longer
    /// referenced.
    public let leases: [String: Lease]
  }
}
