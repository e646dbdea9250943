extension GraphCache {
  /// A write that an earlier run of the program has queued.
  public struct RestoredWrite: Sendable {
    /// The changes of the write, as they were queued.
    public let changes: ChangeSet
    /// The pending write, whose outcome says whether the store commits it.
    public let write: PendingWrite
  }
}
