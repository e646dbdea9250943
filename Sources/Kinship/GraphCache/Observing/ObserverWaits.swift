/// The observers that wait for a change.
struct ObserverWaits: Sendable {
  private var waiting: [Observer.ID: Promise<Void>] = [:]
  /// The observers to wake since the lock was taken.
  private var woken: [Promise<Void>] = []
  /// The number of wakeups.
  private(set) var wakeups = 0

  var count: Int { waiting.count }

  /// Makes observers wait until one of them is notified.
  mutating func begin(_ observers: [Observer.ID]) -> Promise<Void> {
    let change = Promise<Void>()
    for observer in observers { waiting[observer] = change }
    return change
  }

  mutating func end(_ observers: [Observer.ID]) {
    for observer in observers { waiting[observer] = nil }
  }

  /// Selects the waiting ones among some observers, to be notified once the lock is released.
  mutating func wake(_ concerned: [Observer.ID]) {
    for observer in concerned {
      guard let wait = waiting.removeValue(forKey: observer) else { continue }
      woken.append(wait)
      wakeups += 1
    }
  }

  /// Takes the observers to notify.
  mutating func takeWoken() -> [Promise<Void>] {
    if woken.isEmpty { return [] }
    defer { woken = [] }
    return woken
  }

  /// Returns the inconsistencies, in words.
  func audit(_ registry: borrowing ObserverRegistry) -> [String] {
    var failures: [String] = []
    for observer in waiting.keys {
      if !registry.contains(observer) { failures.append("an observer waits that has left") }
      if registry.hasMarks(observer) { failures.append("an observer waits for what is there") }
    }
    if !woken.isEmpty { failures.append("observers were picked and not woken") }
    return failures
  }
}
