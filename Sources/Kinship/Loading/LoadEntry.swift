/// The state of a requested id.
struct LoadEntry {
  /// The batch that it was in; `nil` in the backlog.
  let batch: Loader.BatchID?
  let waiters: WaiterList
}

/// The result of a request.
struct LoadRequest {
  /// The number of ids that the waiter waits for.
  var count = 0
  /// The number of those that others had requested.
  var coalesced = 0
  /// By batch, the number of its ids that nobody had waited for.
  var wantedAgain: [Loader.BatchID: Int] = [:]
}

/// The result of an answer.
struct LoadAnswer {
  var loaded = 0
  var missing = 0
  /// The waits for its ids that are over.
  var waits = WaitCounts()
  /// The ids that could not be loaded, and their waiters.
  var failures: [(failure: LoadFailure, waiters: WaiterList)] = []
  /// Records too old to be kept, and their waiters: drop them once these have them.
  var outdated: [(place: ClaimTable.Place, waiters: WaiterList)] = []
  /// The ids whose values in memory have changed.
  var changed: IDs?
}

/// The number of ids for which each of some waiters need no longer wait.
///
/// A waiter with many ids is the only one of most of them: equal waiters in a row are one entry.
struct WaitCounts: Sequence {
  private var runs: [(waiter: Loader.WaiterID, count: Int)] = []

  /// Notes that a waiter waits for one id less.
  mutating func add(_ waiter: Loader.WaiterID) {
    if runs.last?.waiter == waiter {
      runs[runs.count - 1].count += 1
    } else {
      runs.append((waiter, 1))
    }
  }

  func makeIterator() -> some IteratorProtocol<(waiter: Loader.WaiterID, count: Int)> {
    runs.makeIterator()
  }
}

/// An id that could not be loaded, and the error.
struct LoadFailure: Sendable {
  let ref: AnyRef
  let error: KinshipError
}

/// The counters of the loader.
struct LoadTally: Hashable, Sendable {
  /// Records that the store returned.
  var loaded = 0
  /// Ids that do not exist, according to the store.
  var missing = 0
  var batches = 0
  var queries = 0
  var failedBatches = 0
  var abandonedBatches = 0
  /// Waits that joined a request in flight.
  var coalescedWaits = 0
}
