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
  ///
  /// A waiter with many ids is the only one of most of them: equal waiters in a row are one entry.
  private(set) var waits: [(waiter: Loader.WaiterID, count: Int)] = []
  /// The ids that could not be loaded, and their waiters.
  var failures: [(failure: LoadFailure, waiters: WaiterList)] = []
  /// Records too old to be kept, and their waiters: drop them once these have them.
  var outdated: [(place: ClaimTable.Place, waiters: WaiterList)] = []
  /// The ids whose values in memory have changed.
  var changed: IDs?

  /// Notes that a waiter waits for one id less.
  mutating func endWait(of waiter: Loader.WaiterID) {
    if waits.last?.waiter == waiter {
      waits[waits.count - 1].count += 1
    } else {
      waits.append((waiter, 1))
    }
  }
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
