/// The waiters of one id; one alone, the usual case, needs no memory of its own.
struct WaiterList: Sequence, Sendable {
  private var first: Loader.WaiterID?
  /// Nothing instead of an empty array, which would cost its reference counts.
  private var rest: [Loader.WaiterID]?

  init(_ first: Loader.WaiterID? = nil) { self.first = first }

  var isEmpty: Bool { first == nil }
  var count: Int { (first == nil ? 0 : 1) + (rest?.count ?? 0) }

  mutating func append(_ waiter: Loader.WaiterID) {
    if first == nil {
      first = waiter
    } else if rest == nil {
      rest = [waiter]
    } else {
      rest?.append(waiter)
    }
  }

  /// Whether a waiter joined last, which tells an id that it names twice.
  func endsWith(_ waiter: Loader.WaiterID) -> Bool { (rest?.last ?? first) == waiter }

  /// Takes a waiter out; returns whether it was there.
  mutating func remove(_ waiter: Loader.WaiterID) -> Bool {
    if first == waiter {
      first = rest?.removeFirst()
    } else if let index = rest?.firstIndex(of: waiter) {
      rest?.remove(at: index)
    } else {
      return false
    }
    if rest?.isEmpty == true { rest = nil }
    return true
  }

  func forEach(_ body: (Loader.WaiterID) -> Void) {
    if let first { body(first) }
    rest?.forEach(body)
  }

  func makeIterator() -> Iterator { Iterator(list: self) }

  struct Iterator: IteratorProtocol {
    private let list: WaiterList
    private var position = 0

    init(list: WaiterList) { self.list = list }

    mutating func next() -> Loader.WaiterID? {
      defer { position += 1 }
      if position == 0 { return list.first }
      guard let rest = list.rest, position <= rest.count else { return nil }
      return rest[position - 1]
    }
  }
}
