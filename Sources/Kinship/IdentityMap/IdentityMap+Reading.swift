extension IdentityMap {
  /// Finds a value and makes it the most recently used.
  ///
  /// The pointer is valid until the next change.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  mutating func read<Element: Cacheable>(
    _ id: Element.ID, as type: Element.Type
  ) -> UnsafePointer<Element>? {
    guard let table = table(type), let slot = table.find(id, in: pages) else {
      tally.misses &+= 1
      return nil
    }
    tally.hits &+= 1
    recency.touch(slot)
    return UnsafePointer(pages.pointer(to: slot, as: type))
  }

  /// Reads values in their order, makes each the most recently used, and passes it to a closure in
  /// place, without a copy.
  ///
  /// Memory is touched in passes, so that the reads of many ids wait for distant memory together,
  /// not one after another.
  ///
  /// - Complexity: O(*n*) on average.
  @inlinable
  mutating func read<Element: Cacheable>(
    _ ids: some RandomAccessCollection<Element.ID>, as type: Element.Type,
    _ body: (UnsafePointer<Element>?) -> Void
  ) {
    guard let table = table(type) else {
      tally.misses &+= ids.count
      for _ in ids { body(nil) }
      return
    }
    withUnsafeTemporaryAllocation(of: Slot.self, capacity: ids.count) { slots in
      table.find(ids, in: pages, slots)
      recency.touch(slots)
      for slot in slots {
        if slot == .none {
          tally.misses &+= 1
          body(nil)
        } else {
          tally.hits &+= 1
          body(UnsafePointer(pages.pointer(to: slot, as: type)))
        }
      }
    }
  }

  /// Makes values the most recently used, in order.
  ///
  /// - Complexity: O(*n*) on average.
  mutating func touch<Element: Cacheable>(_ ids: [Element.ID], as type: Element.Type) {
    guard let table = table(type) else { return }
    for id in ids { if let slot = table.find(id, in: pages) { recency.touch(slot) } }
  }

  /// Reads a value without changing the recency order.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  func peek<Element: Cacheable>(_ id: Element.ID, as type: Element.Type) -> Element? {
    guard let table = table(type), let slot = table.find(id, in: pages) else {
      return nil
    }
    return pages.pointer(to: slot, as: type).pointee
  }

  /// Returns the position of a value, if it is in memory.
  @inlinable
  func slot<Element: Cacheable>(of id: Element.ID, as type: Element.Type) -> Slot? {
    guard let table = table(type) else { return nil }
    return table.find(id, in: pages)
  }

  /// The values of those ids that have one in memory, in order.
  ///
  /// - Complexity: O(*n*) on average.
  func values<Element: Cacheable>(of ids: IDs, as type: Element.Type) -> [Element] {
    let slots = operations[ids.type].lookup(self, ids).filter { $0 != .absent && $0 != .missing }
    return checked(operations[ids.type].copy(self, slots[...]), as: [Element].self)
  }

  @inlinable
  func contains<Element: Cacheable>(_ id: Element.ID, as type: Element.Type) -> Bool {
    guard let table = table(type) else { return false }
    return table.find(id, in: pages) != nil
  }

  /// Returns whether an id is known not to exist.
  @inlinable
  func isMissing<Element: Cacheable>(_ id: Element.ID, as type: Element.Type) -> Bool {
    guard let table = table(type) else { return false }
    return table.isMissing(id)
  }

  /// The number of values of a type in memory.
  @inlinable
  func count<Element: Cacheable>(of type: Element.Type) -> Int {
    table(type)?.pointee.index.count ?? 0
  }

  /// Passes each value of a type to a closure, in no particular order.
  ///
  /// - Complexity: O(*n*) in the values of the type.
  @inlinable
  func forEach<Element: Cacheable>(_ type: Element.Type, _ body: (Element) -> Void) {
    guard let table = table(type) else { return }
    table.pointee.index.forEach { body(pages.pointer(to: $0, as: type).pointee) }
  }

  /// Passes each value of a type in a range of pages to a closure in place.
  func forEachPointer<Element: Cacheable>(
    _ type: Element.Type, inPages range: Range<Int>, _ body: (UnsafePointer<Element>) -> Void
  ) {
    guard let owner = types[type]?.index else { return }
    for page in range where Int(pages.headers[page].owner) == owner {
      pages.headers[page].occupied.forEachPlace { place in
        body(pages.pointer(to: Slot(page: page, place: place), as: type))
      }
    }
  }

  /// The slots from the least recently used on, or from the most; held ones are in neither.
  func slots(mostRecentFirst: Bool, limit: Int) -> [Slot] {
    var slots: [Slot] = []
    var slot = mostRecentFirst ? recency.first : recency.last
    while slot != .none, slots.count < limit {
      slots.append(slot)
      slot = mostRecentFirst ? recency.after(slot) : recency.before(slot)
    }
    return slots
  }

  /// The value in a slot.
  func element(in slot: Slot) -> any Cacheable {
    element(in: slot, as: elementType(pages.type(of: slot)))
  }

  private func element<Element: Cacheable>(
    in slot: Slot, as type: Element.Type
  ) -> any Cacheable {
    pages.pointer(to: slot, as: type).pointee
  }

  /// Returns the number of values of a type, and the sum of their costs.
  func measure<Element: Cacheable>(_ type: Element.Type) -> (count: Int, cost: Int) {
    table(type).map { ($0.pointee.index.count, $0.pointee.cost) } ?? (0, 0)
  }

  /// Returns the knowledge of an id.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  func knowledge<Element: Cacheable>(
    of id: Element.ID, as type: Element.Type
  ) -> Knowledge<Element> {
    guard let table = table(type) else { return .missing }
    if let slot = table.find(id, in: pages) {
      return .present(pages.pointer(to: slot, as: type).pointee)
    }
    return isAuthoritative || table.isMissing(id) ? .missing : .unknown
  }

  /// The values of a type in a range of pages.
  func records<Element: Cacheable>(
    of type: Element.Type, number: TypeNumber, inPages range: Range<Int>
  ) -> [Element] {
    var slots: ContiguousArray<Slot> = []
    for page in range where Int(pages.headers[page].owner) == number.index {
      pages.headers[page].occupied.forEachPlace { slots.append(Slot(page: page, place: $0)) }
    }
    return checked(operations[number].copy(self, slots[...]), as: [Element].self)
  }
}
