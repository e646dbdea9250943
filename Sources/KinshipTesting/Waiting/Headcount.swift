/// The waits for a count to be reached.
struct Headcount {
  private var observers: [(count: Int, wait: Wait)] = []

  /// Begins to wait for a count; returns `nil` if it is reached already.
  mutating func observer(of count: Int, current: Int) -> Wait? {
    guard current < count else { return nil }
    let wait = Wait()
    observers.append((count, wait))
    return wait
  }

  /// Removes the waits whose count is reached, for the caller to end outside its lock.
  mutating func reached(by current: Int) -> [Wait] {
    let reached = observers.filter { $0.count <= current }.map(\.wait)
    observers.removeAll { $0.count <= current }
    return reached
  }

  /// Removes a wait that has given up.
  mutating func remove(_ wait: Wait) {
    observers.removeAll { $0.wait === wait }
  }
}
