/// Pending writes: what is done with a chunk of what they have changed.
extension StagedValues {
  /// What a transaction begins with where pending writes show something else, but for what it has
  /// staged.
  ///
  /// - Complexity: O(*n*) in the ids of the type that are pending.
  func beneath(in map: borrowing IdentityMap) -> [Element.ID: Knowledge<Element>] {
    guard isBeneath, map.pendingCount > 0, let table = map.table(Element.self) else { return [:] }
    return table.pointee.beneath.filter { position(of: $0.key) == nil }.mapValues { $0.committed }
  }

  /// Makes room for what one more pending write has changed: to grow with it would move all that
  /// lies beneath at one moment.
  func reserve(in map: inout IdentityMap) {
    guard let table = map.table(Element.self) else { return }
    let count = table.pointee.beneath.count + values.count
    if values.count > Chunk.size { table.pointee.beneath.reserveCapacity(count) }
  }

  /// Shows what one more pending write has changed.
  func show(_ range: Range<Int>, in map: inout IdentityMap) {
    guard !range.isEmpty, let table = map.table(Element.self) else { return }
    let stamp = map.clock.next()
    for value in values[range] where value.isNet {
      map.cover(value.id, in: table)
      map.show(value.current, of: value.id, stamp, in: table)
    }
  }

  // MARK: Making them anew

  /// Stages what is shown of values that a write has changed unseen: that stays as it is.
  mutating func keepShown(
    of step: StagedValues, _ range: Range<Int>, _ map: borrowing IdentityMap
  ) {
    for value in step.values[range] where value.isNet {
      guard let position = position(of: value.id), values[position].current.isUnknown else {
        continue
      }
      values[position].current = map.knowledge(of: value.id, as: Element.self)
    }
  }

  /// Counts what a pending write has changed no longer, or counts it.
  func count(_ range: Range<Int>, isPending: Bool, in map: inout IdentityMap) {
    guard let table = map.table(Element.self) else { return }
    for value in values[range] where value.isNet {
      if isPending {
        map.cover(value.id, in: table)
      } else {
        table.pointee.beneath[value.id]?.writes -= 1
      }
    }
  }

  /// Shows what is committed of those values that no write has changed which is counted.
  ///
  /// - Returns: The ids of which something else is shown now, and those of which nothing is known.
  func uncover(
    _ range: Range<Int>, in map: inout IdentityMap
  ) -> (changed: [Element.ID], unknown: [Element.ID]) {
    guard let table = map.table(Element.self) else { return ([], []) }
    let stamp = map.clock.next()
    var (changed, unknown): ([Element.ID], [Element.ID]) = ([], [])
    for value in values[range] where table.pointee.beneath[value.id]?.writes == 0 {
      guard let beneath = map.uncover(value.id, in: table) else { continue }
      if beneath.committed.isUnknown {
        map.invalidate(value.id, in: table)
        unknown.append(value.id)
      } else if map.show(beneath.committed, of: value.id, stamp, in: table) {
        changed.append(value.id)
      }
    }
    return (changed, unknown)
  }

  /// Shows what all pending writes come to together.
  ///
  /// - Returns: The ids of which something else is shown now.
  func showPending(_ range: Range<Int>, in map: inout IdentityMap) -> [Element.ID] {
    guard let table = map.table(Element.self) else { return [] }
    let stamp = map.clock.next()
    var changed: [Element.ID] = []
    for value in values[range] where map.isPending(value.id, in: table) {
      if map.show(value.current, of: value.id, stamp, in: table) { changed.append(value.id) }
    }
    return changed
  }

  // MARK: Committing

  /// Takes what the first of the pending writes has changed for committed, at a range of positions.
  ///
  /// - Returns: The ids that are no longer pending, and of which nothing is known.
  func commitPending(_ range: Range<Int>, in map: inout IdentityMap) -> [Element.ID] {
    guard let table = map.table(Element.self) else { return [] }
    var unknown: [Element.ID] = []
    for value in values[range] where value.isNet {
      guard var beneath = table.pointee.beneath[value.id] else { continue }
      beneath.writes -= 1
      // Of what the store may have changed otherwise, it is not known what the write has made.
      if !beneath.isOutdated {
        if let element = beneath.committed.element { map.keep(element, table) }
        beneath.committed = value.current
      }
      table.pointee.beneath[value.id] = beneath
      if beneath.writes > 0 { continue }
      map.uncover(value.id, in: table)
      if beneath.committed.isUnknown { unknown.append(value.id) }
    }
    return unknown
  }
}
