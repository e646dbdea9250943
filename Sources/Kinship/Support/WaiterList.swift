/// The waiters of one id; a single one, the usual case, needs no memory of its own.
struct WaiterList: Sendable {
  typealias ID = UInt64

  /// The first one, as long as it is alone.
  private var only: ID?
  /// `nil` instead of an empty set, which would cost its reference counts.
  private var all: Set<ID>?

  init(_ only: ID? = nil) { self.only = only }

  var isEmpty: Bool { only == nil && all == nil }
  var count: Int { all?.count ?? (only == nil ? 0 : 1) }

  /// The waiters, in the order of their first requests: that of their numbers.
  ///
  /// - Complexity: O(*n* log *n*).
  var inOrder: [ID] { all?.sorted() ?? only.map { [$0] } ?? [] }

  func contains(_ waiter: ID) -> Bool {
    only == waiter || all?.contains(waiter) == true
  }

  /// Adds a waiter that is not there yet.
  ///
  /// - Complexity: O(1), amortised.
  mutating func append(_ waiter: ID) {
    if all != nil {
      all?.insert(waiter)
    } else if let first = only {
      all = [first, waiter]
      only = nil
    } else {
      only = waiter
    }
  }

  /// Removes a waiter; returns whether it was there.
  ///
  /// - Complexity: O(1) on average.
  mutating func remove(_ waiter: ID) -> Bool {
    if only == waiter {
      only = nil
      return true
    }
    guard all?.remove(waiter) != nil else { return false }
    if all?.isEmpty == true { all = nil }
    return true
  }

  /// Adds the waiters of another list.
  mutating func formUnion(_ other: WaiterList) {
    other.forEach { if !contains($0) { append($0) } }
  }

  func forEach(_ body: (ID) -> Void) {
    if let only { body(only) } else { inOrder.forEach(body) }
  }
}
