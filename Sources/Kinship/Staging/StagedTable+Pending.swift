/// The operations on a chunk of a pending write's changes.
extension ErasedStagedTable {
  private var staged: ContiguousArray<StagedValue<Element>> { typed.staged }

  /// Reserves room for the changes of one more pending write: growing with them would move all
  /// committed values beneath at once.
  func reserve(in map: inout IdentityMap) {
    guard let table = map.table(Element.self) else { return }
    let count = staged.count
    if count > Chunk.size {
      table.pointee.beneath.reserveCapacity(table.pointee.beneath.count + count)
    }
  }

  /// Shows the changes of one more pending write.
  func show(_ range: Range<Int>, in map: inout IdentityMap) {
    guard !range.isEmpty, let table = map.table(Element.self) else { return }
    let stamp = map.clock.next()
    for value in staged[range] where value.isNet {
      map.cover(value.id, in: table)
      map.show(value.current, of: value.id, stamp, in: table)
    }
  }

  // MARK: Re-running

  /// Stages the shown values of those that a write has changed unseen, on top of all pending
  /// writes: they stay as they are.
  func keepShown(_ range: Range<Int>, in top: Staging, _ map: borrowing IdentityMap) {
    let step = staged
    top.table(type, of: Element.self).values.withLock { top in
      for value in step[range] where value.isNet {
        guard let position = top.position(of: value.id), top.values[position].current.isUnknown
        else { continue }
        top.values[position].current = map.knowledge(of: value.id, as: Element.self)
      }
    }
  }

  /// Counts a pending write for its ids, or no longer counts it.
  func count(_ range: Range<Int>, isPending: Bool, in map: inout IdentityMap) {
    guard let table = map.table(Element.self) else { return }
    for value in staged[range] where value.isNet {
      if isPending {
        map.cover(value.id, in: table)
      } else {
        table.pointee.beneath[value.id]?.writes -= 1
      }
    }
  }

  /// Shows the committed values of ids that no counted write has changed; returns the ids whose
  /// shown values have changed, and those of which nothing is known.
  func uncover(_ range: Range<Int>, in map: inout IdentityMap) -> (changed: IDs, unknown: IDs) {
    var (changed, unknown): ([Element.ID], [Element.ID]) = ([], [])
    if let table = map.table(Element.self) {
      let stamp = map.clock.next()
      for value in staged[range] where table.pointee.beneath[value.id]?.writes == 0 {
        guard let beneath = map.uncover(value.id, in: table) else { continue }
        if beneath.committed.isUnknown {
          map.invalidate(value.id, in: table)
          unknown.append(value.id)
        } else if map.show(beneath.committed, of: value.id, stamp, in: table) {
          changed.append(value.id)
        }
      }
    }
    return (IDs(changed, of: type), IDs(unknown, of: type))
  }

  /// Shows the net effect of all pending writes; returns the ids whose shown values have changed.
  func showPending(_ range: Range<Int>, in map: inout IdentityMap) -> IDs {
    var changed: [Element.ID] = []
    if let table = map.table(Element.self) {
      let stamp = map.clock.next()
      for value in staged[range] where map.isPending(value.id, in: table) {
        if map.show(value.current, of: value.id, stamp, in: table) { changed.append(value.id) }
      }
    }
    return IDs(changed, of: type)
  }

  // MARK: Committing

  /// Commits the changes of the first pending write, at a range of positions; returns the ids that
  /// are no longer pending, and of which nothing is known.
  func commitPending(_ range: Range<Int>, in map: inout IdentityMap) -> IDs {
    var unknown: [Element.ID] = []
    if let table = map.table(Element.self) {
      for value in staged[range] where value.isNet {
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
    }
    return IDs(unknown, of: type)
  }
}
