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
