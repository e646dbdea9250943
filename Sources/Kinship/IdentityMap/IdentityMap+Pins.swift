extension IdentityMap {
  /// Adds a pin to each id, whether or not its value is in memory.
  @inlinable
  mutating func pin<Element: Cacheable>(
    _ ids: some Collection<Element.ID>, as type: Element.Type
  ) {
    guard let table = table(type) else { return }
    for id in ids {
      let pins = table.pointee.pins[id, default: 0]
      table.pointee.pins[id] = pins &+ 1
      if pins == 0, let slot = table.pointee.find(id, in: pages) { recency.hold(slot) }
    }
  }

  /// Takes a pin from each id; a value whose last pin ends becomes the most recently used.
  ///
  /// Evicts nothing yet: see `evictOverflow`.
  @inlinable
  mutating func unpin<Element: Cacheable>(
    _ ids: some Collection<Element.ID>, as type: Element.Type
  ) {
    guard let table = table(type) else { return }
    for id in ids {
      guard let pins = table.pointee.pins[id] else { continue }
      if pins > 1 {
        table.pointee.pins[id] = pins &- 1
      } else {
        table.pointee.pins[id] = nil
        if let slot = table.pointee.find(id, in: pages) { recency.insertFirst(slot) }
      }
    }
  }
}
