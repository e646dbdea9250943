/// The cache's data for a pending write.
struct PendingEntry {
  let id: UInt64
  let write: GraphCache.PendingWrite
  let turn: TurnQueue.Ticket
  let body: @Sendable (inout GraphCache.Transaction) throws -> Void
  /// Leases on the records that the write has read.
  let leases: [GraphCache.Lease]
  /// The ids of the records that the write inserts, if the store chooses them.
  let reserved: ReservedIDs
  /// The changes as they are shown, based on the committed values.
  var step: Step
  /// Whether the store is committing the write, so that it no longer changes.
  var isBeingMade = false
  /// The queue's part of the write, if there is a queue.
  var queued: QueuedWrite?

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
