extension IdentityMap {
  /// Reads a value and makes it the most recently used.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  mutating func read<Element: Cacheable>(_ id: Element.ID, as type: Element.Type) -> Element? {
    guard let table = table(type), let slot = table.pointee.find(id, in: pages) else {
      tally.misses &+= 1
      return nil
    }
    tally.hits &+= 1
    recency.touch(slot)
    return pages.pointer(to: slot, as: type).pointee
  }

  /// Reads a value without a trace.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  func peek<Element: Cacheable>(_ id: Element.ID, as type: Element.Type) -> Element? {
    guard let table = table(type), let slot = table.pointee.find(id, in: pages) else {
      return nil
    }
    return pages.pointer(to: slot, as: type).pointee
  }

  @inlinable
  func contains<Element: Cacheable>(_ id: Element.ID, as type: Element.Type) -> Bool {
    guard let table = table(type) else { return false }
    return table.pointee.find(id, in: pages) != nil
  }

  /// Whether an id is known not to exist.
  @inlinable
  func isMissing<Element: Cacheable>(_ id: Element.ID, as type: Element.Type) -> Bool {
    guard let table = table(type) else { return false }
    return table.pointee.missing.contains(id)
  }

  /// The number of values of a type in memory.
  @inlinable
  func count<Element: Cacheable>(of type: Element.Type) -> Int {
    table(type)?.pointee.index.count ?? 0
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
}
