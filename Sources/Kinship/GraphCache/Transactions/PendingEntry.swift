/// What the cache keeps of a write that is pending.
struct PendingEntry {
  let id: UInt64
  let write: GraphCache.PendingWrite
  let turn: TurnQueue.Ticket
  let body: @Sendable (inout GraphCache.Transaction) throws -> Void
  /// Keeps in memory what the write has looked at.
  let leases: [GraphCache.Lease]
  /// The ids of what the write inserts, as far as the store chooses them.
  let reserved: ReservedIDs
  /// The changes, as they are shown; what is committed of them is what they are based on.
  var step: Step
  /// Whether the store is making the write: then it is as it is.
  var isBeingMade = false
  /// What it is in the queue, if there is one.
  var queued: QueuedWrite?

  func endLeases() {
    step.lease.end()
    for lease in leases { lease.end() }
  }

  /// What a write has changed on top of those before it.
  struct Step {
    let staging: Staging
    let changes: ChangeSet
    /// Keeps it in memory.
    let lease: GraphCache.Lease
  }
}
