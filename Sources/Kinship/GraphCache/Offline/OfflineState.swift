/// What a cache knows of the queue that it has resumed.
struct OfflineState {
  let queue: OfflineQueue
  /// One write is queued after another: the file has the order in which they are shown.
  let turns = TurnQueue()
  /// Why the store cannot be reached, as far as that is known.
  var outage: (any Error)?
  /// How long after the next outage the store is tried again.
  var delay: Duration
  var alarm: Task<Void, Never>?
  /// Writes that were given up, until they have left the queue.
  var givenUp: [(write: GraphCache.PendingWrite, key: ChangeKey, error: any Error)] = []
  /// Whether writes have left the queue, and the others are not made anew without them yet.
  var isOutdated = false
  /// Whether there is something to note in the file.
  var owesFile: Bool { isOutdated || !givenUp.isEmpty }

  init(_ queue: OfflineQueue) {
    self.queue = queue
    delay = queue.delays.first
  }

  mutating func noteReached() {
    outage = nil
    delay = queue.delays.first
    alarm?.cancel()
    alarm = nil
  }
}

/// What a pending write is in a queue.
struct QueuedWrite {
  let key: ChangeKey
  /// What was sent, while the store makes it and where it may have made it: then it is sent again
  /// as it was.
  ///
  /// What is staged does not say that: where the record beneath is forgotten, an update looks like
  /// an insertion.
  var sent: ChangeSet?
  /// Whether what it is based on may be old, so that it is read anew once the write is settled.
  var isBasedOnOld: Bool
}
