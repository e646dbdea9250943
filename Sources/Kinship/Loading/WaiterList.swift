/// The waiters of one id; one alone, the usual case, needs no memory of its own.
struct WaiterList: Sequence, Sendable {
  private var first: Loader.WaiterID?
  private var rest: [Loader.WaiterID] = []

  init(_ first: Loader.WaiterID? = nil) { self.first = first }

  var isEmpty: Bool { first == nil }
  var count: Int { (first == nil ? 0 : 1) + rest.count }

  mutating func append(_ waiter: Loader.WaiterID) {
    if first == nil { first = waiter } else { rest.append(waiter) }
  }

  /// Whether a waiter joined last, which tells an id that it names twice.
  func endsWith(_ waiter: Loader.WaiterID) -> Bool { (rest.last ?? first) == waiter }

  /// Takes a waiter out; returns whether it was there.
  mutating func remove(_ waiter: Loader.WaiterID) -> Bool {
    if first == waiter {
      first = rest.isEmpty ? nil : rest.removeFirst()
      return true
    }
    guard let index = rest.firstIndex(of: waiter) else { return false }
    rest.remove(at: index)
    return true
  }

  func makeIterator() -> Iterator { Iterator(list: self) }

  struct Iterator: IteratorProtocol {
    private let list: WaiterList
    private var position = 0

    init(list: WaiterList) { self.list = list }

    mutating func next() -> Loader.WaiterID? {
      defer { position += 1 }
      if position == 0 { return list.first }
      return position <= list.rest.count ? list.rest[position - 1] : nil
    }
  }
}
