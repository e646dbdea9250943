/// The state of a cache's resumed queue.
struct OfflineState {
  let queue: OfflineQueue
  /// Writes are queued one after another, so the file has the order in which they are shown.
  let turns = TurnQueue()
  /// The last error of the unreachable store; `nil` if there was none.
  var outage: (any Error)?
  /// The delay before the retry after the next outage.
  var delay: Duration
  var alarm: Task<Void, Never>?
  /// Abandoned writes, until they have left the queue.
  var abandoned: [(write: GraphCache.PendingWrite, key: ChangeKey, error: any Error)] = []
  /// Whether writes have left the queue, and the others have not been re-run without them yet.
  var isOutdated = false
  /// Whether the file must be updated.
  var mustRewriteFile: Bool { isOutdated || !abandoned.isEmpty }

  init(_ queue: OfflineQueue) {
    self.queue = queue
    delay = queue.delays.first
  }

  mutating func endOutage() {
    outage = nil
    delay = queue.delays.first
    alarm?.cancel()
    alarm = nil
  }
}
