/// Searches for the order in which the operations of a history took effect.
///
/// It is inlinable because models are types of other modules: specialised code is 70 times as fast.
@usableFromInline
struct LinearizationSearch<Model: SequentialModel> {
  @usableFromInline
  struct Visited: Hashable {
    @usableFromInline let done: UInt64
    @usableFromInline let model: Model
    @inlinable init(done: UInt64, model: Model) {
      self.done = done
      self.model = model
    }
  }

  @usableFromInline let entries: [History<Model.Operation, Model.Response>.Entry]

  /// For each entry, the entries that had returned when it was called.
  @usableFromInline let predecessors: [UInt64]

  @usableFromInline var visited: Set<Visited> = []
  @usableFromInline var order: [Int] = []

  @inlinable
  init(_ entries: [History<Model.Operation, Model.Response>.Entry]) {
    precondition(entries.count <= UInt64.bitWidth, "a history of more than 64 operations")
    self.entries = entries
    predecessors = entries.map { entry in
      Self.mask(of: entries) { $0.returned.map { $0.time < entry.invoked } ?? false }
    }
  }

  @inlinable
  mutating func order(from model: Model) -> [Int]? {
    extend(done: 0, model) ? order : nil
  }

  @inlinable
  mutating func extend(done: UInt64, _ model: Model) -> Bool {
    if order.count == entries.count { return true }
    guard visited.insert(Visited(done: done, model: model)).inserted else { return false }
    for (index, entry) in entries.enumerated() {
      let bit: UInt64 = 1 << UInt64(index)
      guard done & bit == 0, predecessors[index] & ~done == 0 else { continue }
      var next = model
      let response = next.apply(entry.operation)
      if let returned = entry.returned, returned.response != response { continue }
      order.append(index)
      if extend(done: done | bit, next) { return true }
      order.removeLast()
    }
    return false
  }

  @inlinable
  static func mask(
    of entries: [History<Model.Operation, Model.Response>.Entry],
    where isMember: (History<Model.Operation, Model.Response>.Entry) -> Bool
  ) -> UInt64 {
    entries.enumerated().reduce(0) { mask, element in
      isMember(element.element) ? mask | 1 << UInt64(element.offset) : mask
    }
  }
}
