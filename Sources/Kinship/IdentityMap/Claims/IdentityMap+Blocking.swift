extension IdentityMap {
  /// Blocks loads of a few ids of a type, none of which is claimed; these need no set.
  ///
  /// - Returns: Whether that was possible; if not, nothing was done.
  mutating func blockFewLoads(_ ids: IDs) -> Bool {
    guard ids.count <= 8, claims[ids.type].pointee.isEmpty, !isRestoring else { return false }
    blockedFew.append(ids)
    return true
  }

  /// Reserves room for ids that the store must not be asked for: growing with them would move all
  /// of them at once.
  mutating func reserveBlocked<Element: Cacheable>(_ count: Int, of type: Element.Type) {
    if count > Chunk.size { table(type)?.pointee.blocked.reserveCapacity(count) }
  }

  /// Blocks loads of ids; returns the places of those that are claimed.
  mutating func blockLoads<Element: Cacheable>(
    _ ids: IDs, as type: Element.Type
  ) -> ContiguousArray<ClaimTable.Place> {
    guard let table = table(type) else { return [] }
    table.pointee.blocked.add(ids.of(type))
    if isRestoring { table.pointee.outdated.add(ids.of(type)) }
    return setBlocked(true, ids, as: type)
  }

  /// Allows loads of everything again, except for claimed ids: see `unblockLoads`.
  ///
  /// - Returns: A closure that returns the ids that were blocked, in chunks; it takes no lock.
  mutating func takeBlocked<Element: Cacheable>(_ type: Element.Type) -> @Sendable () -> [IDs] {
    guard let table = table(type) else { return { [] } }
    let (blocked, number) = (blocked(in: table), table.pointee.owner)
    table.pointee.blocked = []
    blockedFew.removeAll { $0.type == number }
    return { Element.chunks(of: IDs(Array(blocked), of: number)) }
  }

  /// Allows loads of ids that are no longer blocked; returns the places of those that are claimed.
  mutating func unblockLoads<Element: Cacheable>(
    _ ids: IDs, as type: Element.Type
  ) -> ContiguousArray<ClaimTable.Place> { setBlocked(false, ids, as: type) }

  /// Returns the ids of a type that the store must not be asked for.
  func blocked<Element: Cacheable>(
    in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Set<Element.ID> {
    blockedFew.reduce(into: table.pointee.blocked) { blocked, ids in
      if ids.type == table.pointee.owner { blocked.add(ids.of(Element.self)) }
    }
  }

  /// Returns whether the store must not be asked for an id.
  @usableFromInline
  func isBlocked<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    table.pointee.blocked.contains(id)
      || blockedFew.contains { $0.type == table.pointee.owner && $0.of(Element.self).contains(id) }
  }

  private func setBlocked<Element: Cacheable>(
    _ isBlocked: Bool, _ ids: IDs, as type: Element.Type
  ) -> ContiguousArray<ClaimTable.Place> {
    let places = claimed(ids, as: type)
    for place in places { claims[ids.type].pointee[place].isBlocked = isBlocked }
    return places
  }

  /// The places of those of some ids that are claimed.
  func claimed<Element: Cacheable>(
    _ ids: IDs, as type: Element.Type
  ) -> ContiguousArray<ClaimTable.Place> {
    guard let table = table(type) else { return [] }
    let claims = claims[table.pointee.owner]
    var places: ContiguousArray<ClaimTable.Place> = []
    // Usually nobody waits for any of the type.
    if claims.pointee.isEmpty { return places }
    for id in ids.of(type) {
      let place = table.claim(to: id, SlotIndex.tag(of: id), claims)
      if place != 0 { places.append(place) }
    }
    return places
  }
}
