/// The cache's data for a pending write.
struct PendingEntry {
  let write: GraphCache.PendingWrite
  let turn: TurnQueue.Ticket
  let body: @Sendable (inout GraphCache.Transaction) throws -> Void
  /// Leases on the records that the write has read.
  let leases: [GraphCache.Lease]
  /// The ids of the records that the write inserts, if the store chooses them.
  let reserved: ReservedIDs
  /// The changes as they are shown, based on the committed values.
  var step: Step
  /// The write's key in the queue, if there is a queue.
  let key: ChangeKey?
  /// The changes that were sent, while the store commits them or may have committed them: the write
  /// no longer changes, and a retry sends them again.
  ///
  /// The staged changes are not enough for this: if the base record was dropped, an update looks
  /// like an insertion.
  var sent: ChangeSet?
  /// Whether its base values may be old, so that they are reloaded once the write is settled.
  var isBasedOnOld: Bool

  var id: UInt64 { turn.number }

  func endLeases() {
    step.lease.end()
    for lease in leases { lease.end() }
  }

  /// The changes of a write, on top of the earlier ones.
  struct Step {
    let staging: Staging
    let changes: ChangeSet
    /// Keeps the changed records in memory.
    let lease: GraphCache.Lease
  }
}
