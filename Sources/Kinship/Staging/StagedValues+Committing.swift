extension StagedValues {
  /// Commits the staged values of a range of positions to the map: nothing was written since, and
  /// no write is pending.
  ///
  /// - Complexity: O(*n*) in the staged values, on average.
  @inlinable
  func commit(_ range: Range<Int>, to map: inout IdentityMap) {
    guard let table = map.table(Element.self) else { return }
    assert(map.pendingCount == 0, "What is shown comes after this")
    let stamp = map.clock.next()
    // The base values leave the map; they stay here beyond the lock.
    for position in range {
      commit(position, stamp, to: &map, table, keepsOld: !values[position].base.isPresent)
    }
  }

  @inlinable
  @inline(never)  // Out of line, types can share the code.
  func commit(
    _ position: Int, _ stamp: Stamp, to map: inout IdentityMap,
    _ table: UnsafeMutablePointer<RecordTable<Element>>, keepsOld: Bool
  ) {
    // Set each property: a copy of the whole record would retain all that either record holds.
    switch values[position].current {
    case .present(let element):
      if !values[position].isUntouched {
        map.put(element, stamp, in: table, keepsOld: keepsOld)
      }
    case .missing:
      if case .present = values[position].base { _ = map.remove(values[position].id, in: table) }
    case .unknown: return
    }
  }

  /// Commits a staged value to the base value of its id, if the id has pending writes.
  private func commitBaseValue(
    _ value: StagedValue<Element>, in map: inout IdentityMap,
    _ table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    switch value.current {
    case .present: !value.isUntouched && map.setCommitted(value.current, of: value.id, in: table)
    case .missing: value.base.isPresent && map.setCommitted(.missing, of: value.id, in: table)
    case .unknown: false
    }
  }

  /// Commits the staged values of a range of positions, after other writes since.
  ///
  /// Those writes are kept if the transaction only set properties: these are then set in the newer
  /// value. Values that were dropped since stay so.
  ///
  /// - Complexity: O(*n*) in the staged values, on average.
  mutating func commitLate(_ range: Range<Int>, to map: inout IdentityMap) {
    guard let table = map.table(Element.self) else { return }
    let stamp = map.clock.next()
    for position in range {
      rebase(&values[position], map: &map)
      guard values[position].current.isPresent, !values[position].isUntouched,
        isOutdated(values[position], map)
      else {
        if !commitBaseValue(values[position], in: &map, table) {
          commit(position, stamp, to: &map, table, keepsOld: true)
        }
        continue
      }
      // It was dropped since, perhaps because the store has changed it differently.
      let id = values[position].id
      if !map.markBaseOutdated(id, in: table) { map.invalidate(id, in: table) }
    }
  }

  /// Returns whether a value staged on top of another is unknown by now: that one was dropped or
  /// written since, and the store has applied only the difference.
  private func isOutdated(
    _ value: StagedValue<Element>, _ map: borrowing IdentityMap
  ) -> Bool {
    guard !map.isAuthoritative, case .present(let base) = value.base else { return false }
    let now = map.committed(value.id, as: Element.self)
    guard case .present(let current) = now else { return now.isUnknown }
    guard case .whole = value.edits else { return false }
    return Values.areEqual(base, current) == false
  }

  /// Updates a staged value to the current committed value.
  private func rebase(_ value: inout StagedValue<Element>, map: inout IdentityMap) {
    let now = map.committed(value.id, as: Element.self)
    guard case .properties(let changes) = value.edits, case .present(var element) = now else {
      return
    }
    if !_isPOD(Element.self) { map.dropped.append(value) }
    value.base = now
    for change in changes { change.apply(to: &element) }
    value.current = .present(element)
  }

  /// Replaces the values that were set by those that the store reports.
  ///
  /// A closure returns a value with the differences between two others, if these can be found.
  ///
  /// - Returns: Whether the staged value equals the stored one now.
  mutating func restage(
    _ stored: Element, id: Element.ID,
    merging: (_ value: Element, _ old: Element, _ new: Element) -> Element?
  ) -> Bool {
    guard let position = position(of: id), case .present(var new) = values[position].current else {
      return false
    }
    switch (values[position].base, values[position].edits) {
    case (.present, .properties(let changes)):
      let changes = changes.map { $0.taken(from: stored) }
      for change in changes { change.apply(to: &new) }
      values[position].edits = .properties(changes)
    case (.present(let old), .whole):
      // A property whose old and new values are equal was not set here.
      guard let others = merging(stored, new, old), let set = merging(old, others, stored) else {
        return false
      }
      new = set
    default:
      values[position].current = .present(stored)
      return true
    }
    values[position].current = .present(new)
    return Values.areEqual(new, stored) == true
  }
}
