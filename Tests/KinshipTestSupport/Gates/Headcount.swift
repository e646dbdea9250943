/// The tasks that wait until a number of others wait.
struct Headcount {
  private var observers: [(count: Int, wait: Wait)] = []

  /// Begins to wait for a count.
  ///
  /// - Returns: The wait, or `nil` if as many wait already.
  mutating func observer(of count: Int, current: Int) -> Wait? {
    guard current < count else { return nil }
    let wait = Wait()
    observers.append((count, wait))
    return wait
  }

  /// Removes and returns the waits whose count is reached, for the caller to end outside its lock.
  mutating func reached(by current: Int) -> [Wait] {
    let reached = observers.filter { $0.count <= current }.map(\.wait)
    observers.removeAll { $0.count <= current }
    return reached
  }

  /// Removes a wait that was given up.
  mutating func remove(_ wait: Wait) {
    observers.removeAll { $0.wait === wait }
  }
}
