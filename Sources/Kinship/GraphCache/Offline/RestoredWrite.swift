extension GraphCache {
  /// A write that an earlier run of the program has queued.
  public struct RestoredWrite: Sendable {
    /// What it changes, as it was queued.
    public let changes: ChangeSet
    /// The write: its outcome says whether the store makes it, or why not.
    public let write: PendingWrite
  }
}
