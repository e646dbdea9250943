extension IdentityMap {
  /// Begins to put back what was captured earlier.
  ///
  /// Until the end it is noted what values leave, and of which ids something is said: of these more
  /// is known than what is restored can know. A value that stays is known anyway.
  mutating func beginRestoring() {
    isRestoring = true
    isFull = false
    for operations in operations { beginRestoring(operations.type) }
  }

  mutating func endRestoring() {
    isRestoring = false
    for operations in operations { endRestoring(operations.type) }
  }

  /// Puts a value back as the least recently used, unless anything is known of its id.
  ///
  /// A claimed value is held, and may exceed the limits. Another one must find room, and once one
  /// does not, none does: what is restored comes from the most to the least recently used, and no
  /// value may be in memory in place of one that was used later.
  ///
  /// - Parameters:
  ///   - element: The value.
  ///   - stamp: When it was learnt.
  ///   - table: The table of its type.
  /// - Returns: What came of it.
  /// - Complexity: O(1), amortised.
  @inlinable
  mutating func restore<Element: Cacheable>(
    _ element: consuming Element, _ stamp: Stamp,
    in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> RestoreResult {
    guard isRestoring else { return .full }
    let id = element.id
    let tag = SlotIndex.tag(of: id)
    if !Element.isStable(id) { return .known }
    if table.find(id, tag, in: pages) != nil || table.isMissing(id)
      || table.pointee.outdated.contains(id)
    {
      return .known
    }
    let claims = claims[table.pointee.owner]
    let place = table.claim(to: id, tag, claims)
    if place == 0 {
      if count >= room.count || cost > room.cost &- element.effectiveCost { isFull = true }
      if isFull { return .full }
    } else if claims.pointee[place].request != 0 {
      return .known  // By the store, that is being asked for it.
    }
    insert(element, tag, stamp, claimedAt: place, asLast: true, in: table)
    evictOverflow(table)
    return .restored
  }

  /// Notes again that an id does not exist, unless anything is known of it.
  ///
  /// - Returns: Whether nothing was known.
  @inlinable
  mutating func restoreMissing<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    guard isRestoring, !isAuthoritative, Element.isStable(id) else { return false }
    let tag = SlotIndex.tag(of: id)
    if table.find(id, tag, in: pages) != nil || table.isMissing(id)
      || table.pointee.outdated.contains(id)
    {
      return false
    }
    let claims = claims[table.pointee.owner]
    let place = table.claim(to: id, tag, claims)
    if place != 0, claims.pointee[place].request != 0 { return false }
    table.pointee.noteMissing(id, nil, claims: claims.pointee.count)
    return true
  }

  // MARK: One type

  /// Begins to note of which ids more is learnt than what is restored can know: those that the
  /// store is about to change are the first.
  private func beginRestoring<Element: Cacheable>(_ type: Element.Type) {
    guard let table = table(type) else { return }
    table.pointee.outdated = barred(in: table)
    // What comes back may be more than there is by now.
    table.pointee.wholeness = .told
  }

  private func endRestoring<Element: Cacheable>(_ type: Element.Type) {
    table(type)?.pointee.outdated = []
  }

  /// Notes that more is known of ids than what is restored can know.
  func noteOutdated<Element: Cacheable>(_ ids: some Sequence<Element.ID>, as type: Element.Type) {
    table(type)?.pointee.outdated.formUnion(ids)
  }

  /// Notes again that ids do not exist, but for those that the store is asked for.
  ///
  /// - Returns: Those of which nothing was known.
  mutating func restoreMissing<Element: Cacheable>(
    _ ids: IDs, as type: Element.Type
  ) -> IDs {
    guard let table = table(type) else { return IDs([Element.ID](), of: ids.type) }
    return IDs(ids.of(type).filter { restoreMissing($0, in: table) }, of: ids.type)
  }
}

/// What came of putting a value back that was captured earlier.
@usableFromInline
enum RestoreResult: Sendable {
  case restored
  /// The map knows better.
  case known
  /// There is no room for it, nor for what was used less recently.
  case full
}
