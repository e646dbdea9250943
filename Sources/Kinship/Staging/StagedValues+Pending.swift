/// The operations on a chunk of a pending write's changes.
extension StagedValues {
  /// Returns the base values of ids that have pending writes, except for those that are staged.
  ///
  /// - Complexity: O(*n*) in the ids of the type that are pending.
  func beneath(in map: borrowing IdentityMap) -> [Element.ID: Knowledge<Element>] {
    guard isBeneath, map.pendingCount > 0, let table = map.table(Element.self) else { return [:] }
    return table.pointee.beneath.filter { position(of: $0.key) == nil }.mapValues { $0.committed }
  }

  /// Reserves room for the changes of one more pending write: growing with them would move all
  /// committed values beneath at once.
  func reserve(in map: inout IdentityMap) {
    guard let table = map.table(Element.self) else { return }
    let count = table.pointee.beneath.count + values.count
    if values.count > Chunk.size { table.pointee.beneath.reserveCapacity(count) }
  }

  /// Shows the changes of one more pending write.
  func show(_ range: Range<Int>, in map: inout IdentityMap) {
    guard !range.isEmpty, let table = map.table(Element.self) else { return }
    let stamp = map.clock.next()
    for value in values[range] where value.isNet {
      map.cover(value.id, in: table)
      map.show(value.current, of: value.id, stamp, in: table)
    }
  }

  // MARK: Re-running

  /// Stages the shown values of those that a write has changed unseen: they stay as they are.
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

  /// Counts a pending write for its ids, or no longer counts it.
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

  /// Shows the committed values of ids that no counted write has changed.
  ///
  /// - Returns: The ids whose shown values have changed, and those of which nothing is known.
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

  /// Shows the net effect of all pending writes.
  ///
  /// - Returns: The ids whose shown values have changed.
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

  /// Commits the changes of the first pending write, at a range of positions.
  ///
  /// - Returns: The ids that are no longer pending, and of which nothing is known.
  func commitPending(_ range: Range<Int>, in map: inout IdentityMap) -> [Element.ID] {
    guard let table = map.table(Element.self) else { return [] }
    var unknown: [Element.ID] = []
    for value in values[range] where value.isNet {
      guard var beneath = table.pointee.beneath[value.id] else { continue }
      beneath.writes -= 1
      // If the store may have changed a value differently, the result of the write is unknown.
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
