extension StagedValues {
  /// Takes over into the map what a transaction has staged, at a range of positions: nothing was
  /// written since, and no write is pending.
  ///
  /// - Complexity: O(*n*) in the staged values, on average.
  @inlinable
  func commit(_ range: Range<Int>, to map: inout IdentityMap) {
    guard let table = map.table(Element.self) else { return }
    assert(map.pendingCount == 0, "What is shown comes after this")
    let stamp = map.clock.next()
    for position in range { commit(position, stamp, to: &map, table) }
  }

  @inlinable
  @inline(never)  // Alone it is code that types can share.
  func commit(
    _ position: Int, _ stamp: Stamp, to map: inout IdentityMap,
    _ table: UnsafeMutablePointer<RecordTable<Element>>
  ) {
    // Property by property: a copy of the whole would retain all that either record holds.
    switch values[position].current {
    case .present(let element):
      if !values[position].isUntouched { map.put(element, stamp, in: table) }
    case .missing:
      if case .present = values[position].base { _ = map.remove(values[position].id, in: table) }
    case .unknown: return
    }
  }

  /// Takes a staged value over for committed, if pending writes have changed the same id.
  private func commitBeneath(
    _ value: StagedValue<Element>, in map: inout IdentityMap,
    _ table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    switch value.current {
    case .present: !value.isUntouched && map.setCommitted(value.current, of: value.id, in: table)
    case .missing: value.base.isPresent && map.setCommitted(.missing, of: value.id, in: table)
    case .unknown: false
    }
  }

  /// Takes all of it over where something may have been written since.
  ///
  /// What was is kept, as far as the transaction only set properties: they are set in the newer
  /// value. What was forgotten since stays so.
  ///
  /// - Complexity: O(*n*) in the staged values, on average.
  mutating func commitLate(to map: inout IdentityMap) {
    guard let table = map.table(Element.self) else { return }
    let stamp = map.clock.next()
    for position in values.indices {
      rebase(&values[position], map: &map)
      guard values[position].current.isPresent, !values[position].isUntouched,
        isOutdated(values[position], map)
      else {
        if !commitBeneath(values[position], in: &map, table) {
          commit(position, stamp, to: &map, table)
        }
        continue
      }
      // It was forgotten since, perhaps because the store has changed it otherwise.
      let id = values[position].id
      if !map.outdate(id, in: table) { map.invalidate(id, in: table) }
    }
  }

  /// Whether it can no longer be told what a value is that was staged on top of another: that was
  /// forgotten, or written since, and the store has made but what differs from it.
  private func isOutdated(
    _ value: StagedValue<Element>, _ map: borrowing IdentityMap
  ) -> Bool {
    guard !map.isAuthoritative, case .present(let base) = value.base else { return false }
    let now = map.committed(value.id, as: Element.self)
    guard case .present(let current) = now else { return now.isUnknown }
    guard case .whole = value.edits else { return false }
    return Values.areEqual(base, current) == false
  }

  /// Brings a staged value up to what is committed by now.
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

  // MARK: Pending writes

  /// What a transaction begins with where pending writes show something else, but for what it has
  /// staged.
  ///
  /// - Complexity: O(*n*) in the ids of the type that are pending.
  func beneath(in map: borrowing IdentityMap) -> [Element.ID: Knowledge<Element>] {
    guard isBeneath, map.pendingCount > 0, let table = map.table(Element.self) else { return [:] }
    return table.pointee.beneath.filter { position(of: $0.key) == nil }.mapValues { $0.committed }
  }

  /// Shows what one more pending write has changed, at a range of positions.
  func show(_ range: Range<Int>, in map: inout IdentityMap) {
    guard !range.isEmpty, let table = map.table(Element.self) else { return }
    let stamp = map.clock.next()
    for value in values[range] where value.isNet {
      map.cover(value.id, in: table)
      map.show(value.current, of: value.id, stamp, in: table)
    }
  }

  /// Shows what pending writes come to together that were made anew, in place of what they came to
  /// before.
  ///
  /// - Parameters:
  ///   - steps: What each of them has changed, in their order.
  ///   - earlier: What they and those that were given up had changed before.
  ///   - map: The map.
  /// - Returns: The ids of which something else is shown now, and those that are no longer pending
  ///   and of which nothing is known.
  func show(
    _ steps: [StagedValues], insteadOf earlier: [StagedValues], in map: inout IdentityMap
  ) -> (changed: [Element.ID], unknown: [Element.ID]) {
    guard let table = map.table(Element.self) else { return ([], []) }
    let stamp = map.clock.next()
    var changed: [Element.ID] = []
    var unknown: [Element.ID] = []
    var uncovered: [Element.ID] = []
    for step in earlier {
      for value in step.values where value.isNet { table.pointee.beneath[value.id]?.writes -= 1 }
    }
    for step in steps {
      for value in step.values where value.isNet { map.cover(value.id, in: table) }
    }
    for step in earlier {
      for value in step.values where table.pointee.beneath[value.id]?.writes == 0 {
        uncovered.append(value.id)
      }
    }
    for id in uncovered {
      guard let beneath = map.uncover(id, in: table) else { continue }
      if beneath.committed.isUnknown { unknown.append(id) }
      if map.show(beneath.committed, of: id, stamp, in: table) { changed.append(id) }
    }
    var shown: Set<Element.ID> = []
    for step in steps {
      for value in step.values where value.isNet && shown.insert(value.id).inserted {
        guard let position = position(of: value.id) else { continue }
        if map.show(values[position].current, of: value.id, stamp, in: table) {
          changed.append(value.id)
        }
      }
    }
    return (changed, unknown)
  }

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
