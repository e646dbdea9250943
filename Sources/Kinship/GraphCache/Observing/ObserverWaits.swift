/// The observers that wait for a change.
struct ObserverWaits: Sendable {
  private var waiting: [Observer.ID: Promise<Void>] = [:]
  /// Those who were picked since the lock was taken.
  private var woken: [Promise<Void>] = []
  /// How often anybody was.
  private(set) var wakeups = 0

  var count: Int { waiting.count }

  /// Lets observers wait until one of them is told.
  mutating func begin(_ observers: [Observer.ID]) -> Promise<Void> {
    let change = Promise<Void>()
    for observer in observers { waiting[observer] = change }
    return change
  }

  mutating func end(_ observers: [Observer.ID]) {
    for observer in observers { waiting[observer] = nil }
  }

  /// Picks those of some observers who wait, to be told once the lock is released.
  mutating func wake(_ concerned: [Observer.ID]) {
    for observer in concerned {
      guard let wait = waiting.removeValue(forKey: observer) else { continue }
      woken.append(wait)
      wakeups += 1
    }
  }

  /// Takes those who are to be told.
  mutating func takeWoken() -> [Promise<Void>] {
    if woken.isEmpty { return [] }
    defer { woken = [] }
    return woken
  }

  /// What is wrong, in words.
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
