/// The operations on a chunk of a pending write's changes.
extension ErasedStagedTable {
  private var staged: ContiguousArray<StagedValue<Element>> { typed.staged }

  /// Reserves room for the changes of one more pending write: growing with them would move all base
  /// values at once.
  func reserve(in map: inout IdentityMap) {
    guard let table = map.table(Element.self) else { return }
    let count = staged.count
    if count > Chunk.size {
      table.pointee.baseValues.reserveCapacity(table.pointee.baseValues.count + count)
    }
  }

  /// Shows the changes of one more pending write.
  func show(_ range: Range<Int>, in map: inout IdentityMap) {
    guard !range.isEmpty, let table = map.table(Element.self) else { return }
    let stamp = map.clock.next()
    for value in staged[range] where value.isNet {
      map.countPendingWrite(value.id, in: table)
      map.setVisible(value.current, of: value.id, stamp, in: table)
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
        map.countPendingWrite(value.id, in: table)
      } else {
        table.pointee.baseValues[value.id]?.writes -= 1
      }
    }
  }

  /// Shows the committed values of ids that no counted write has changed; returns the ids whose
  /// shown values have changed, and those of which nothing is known.
  func showBaseValues(_ range: Range<Int>, in map: inout IdentityMap) -> (
    changed: IDs, unknown: IDs
  ) {
    var (changed, unknown): ([Element.ID], [Element.ID]) = ([], [])
    if let table = map.table(Element.self) {
      let stamp = map.clock.next()
      for value in staged[range] where table.pointee.baseValues[value.id]?.writes == 0 {
        guard let base = map.removeBaseValue(value.id, in: table) else { continue }
        if base.committed.isUnknown {
          map.invalidate(value.id, in: table)
          unknown.append(value.id)
        } else if map.setVisible(base.committed, of: value.id, stamp, in: table) {
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
        if map.setVisible(value.current, of: value.id, stamp, in: table) {
          changed.append(value.id)
        }
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
        guard var base = table.pointee.baseValues[value.id] else { continue }
        base.writes -= 1
        // If the store may have changed a value differently, the result of the write is unknown.
        if !base.isOutdated {
          if let element = base.committed.element { map.keep(element, table) }
          base.committed = value.current
        }
        table.pointee.baseValues[value.id] = base
        if base.writes > 0 { continue }
        map.removeBaseValue(value.id, in: table)
        if base.committed.isUnknown { unknown.append(value.id) }
      }
    }
    return IDs(unknown, of: type)
  }
}
