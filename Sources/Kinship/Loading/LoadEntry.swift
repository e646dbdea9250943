/// An id that was asked for.
struct LoadEntry {
  /// The batch that it was in; `nil` in the backlog.
  let batch: Loader.BatchID?
  let waiters: WaiterList
}

/// What came of a request.
struct LoadRequest {
  /// How many ids the waiter waits for.
  var count = 0
  /// How many of them others had asked for.
  var coalesced = 0
  /// By batch: how many of its ids nobody had waited for.
  var wantedAgain: [Loader.BatchID: Int] = [:]
}

/// What came of an answer.
struct LoadAnswer {
  var loaded = 0
  var missing = 0
  /// The waits for its ids that are over.
  var waits = WaitCounts()
  /// The ids that could not be loaded, and who waits for them.
  var failures: [(failure: LoadFailure, waiters: WaiterList)] = []
  /// What was too old to be kept, and who waited for it: to be forgotten once they have it.
  var outdated: [(place: ClaimTable.Place, waiters: WaiterList)] = []
  /// The ids that were in memory as something else.
  var changed: IDs?
}

/// How many ids each of some waiters need no longer wait for.
///
/// Who asks for many ids stands alone behind most of them: equal waiters in a row are one entry.
struct WaitCounts: Sequence {
  private var runs: [(waiter: Loader.WaiterID, count: Int)] = []

  /// Notes that a waiter waits for an id less.
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
