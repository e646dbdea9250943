extension IdentityMap {
  /// Begins to restore captured values.
  ///
  /// Until the end, the map notes the values that leave and the ids that are written or learnt:
  /// these are known better than from restored values. A value that stays is known anyway.
  mutating func beginRestoring() {
    isRestoring = true
    isFull = false
    for operations in operations { beginRestoring(operations.type) }
  }

  mutating func endRestoring() {
    isRestoring = false
    for operations in operations { endRestoring(operations.type) }
  }

  /// Restores a value as the least recently used, unless anything is known of its id.
  ///
  /// A claimed value is held, and may exceed the limits. Another one must find room, and once one
  /// does not, none does: values are restored from the most to the least recently used, and no
  /// value may be in memory in place of one that was used later.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  mutating func restore<Element: Cacheable>(
    _ element: consuming Element, _ stamp: Stamp,
    in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> RestoreResult {
    guard isRestoring else { return .full }
    let id = element.id
    let tag = SlotIndex.tag(of: id)
    if !Element.isStable(id) || isKnown(id, tag, in: table) { return .known }
    let claims = claims[table.pointee.owner]
    let place = table.claim(to: id, tag, claims)
    if place == 0 {
      if count >= room.count || cost > room.cost &- element.effectiveCost { isFull = true }
      if isFull { return .full }
    } else if claims.pointee[place].request != 0 {
      return .known  // The store is being asked for it.
    }
    // F1: values arrive in recency order, with the moments since which they are known.
    insert(element, tag, stamp, claimedAt: place, asLast: true, in: table)
    evictOverflow(table)
    return .restored
  }

  /// Restores the knowledge that an id does not exist, unless anything is known of it; returns
  /// whether nothing was known.
  @inlinable
  mutating func restoreMissing<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    guard isRestoring, !isAuthoritative, Element.isStable(id) else { return false }
    let tag = SlotIndex.tag(of: id)
    if isKnown(id, tag, in: table) { return false }
    let claims = claims[table.pointee.owner]
    let place = table.claim(to: id, tag, claims)
    if place != 0, claims.pointee[place].request != 0 { return false }
    table.pointee.addMissing(id, nil, claims: claims.pointee.count)
    return true
  }

  /// Returns whether more is known of an id than restored values can know.
  @inlinable
  func isKnown<Element: Cacheable>(
    _ id: Element.ID, _ tag: UInt32, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    table.find(id, tag, in: pages) != nil || table.isMissing(id)
      || table.pointee.outdated.contains(id)
  }

  // MARK: One type

  /// Begins to note the ids of which more is learnt than restored values can know: first those that
  /// the store is about to change.
  private func beginRestoring<Element: Cacheable>(_ type: Element.Type) {
    guard let table = table(type) else { return }
    table.pointee.outdated = blocked(in: table)
    // Restored values may have been deleted in the meantime.
    table.pointee.completeness = .untracked
  }

  private func endRestoring<Element: Cacheable>(_ type: Element.Type) {
    table(type)?.pointee.outdated = []
  }

  /// Marks ids as outdated: more is known of them than restored values can know.
  func markOutdated<Element: Cacheable>(_ ids: some Sequence<Element.ID>, as type: Element.Type) {
    table(type)?.pointee.outdated.formUnion(ids)
  }

  /// Restores the knowledge that ids do not exist, except for those that are being loaded; returns
  /// those of which nothing was known.
  mutating func restoreMissing<Element: Cacheable>(
    _ ids: IDs, as type: Element.Type
  ) -> IDs {
    guard let table = table(type) else { return IDs([Element.ID](), of: ids.type) }
    return IDs(ids.of(type).filter { restoreMissing($0, in: table) }, of: ids.type)
  }
}

/// The result of restoring a captured value.
@usableFromInline
enum RestoreResult: Sendable {
  case restored
  /// The map has newer knowledge.
  case known
  /// There is no room for it, nor for values that were used less recently.
  case full
}
