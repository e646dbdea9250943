extension IdentityMap {
  /// Notes that the store must not be asked for a few ids of a type, none of which is claimed;
  /// these need no set.
  ///
  /// - Returns: Whether that was possible; if not, nothing was done.
  mutating func barFew(_ ids: IDs) -> Bool {
    guard ids.count <= 8, claims[ids.type].pointee.isEmpty, !isRestoring else { return false }
    barredFew.append(ids)
    return true
  }

  /// Reserves room for ids that the store must not be asked for: growing with them would move all
  /// of them at once.
  mutating func reserveBars<Element: Cacheable>(_ count: Int, of type: Element.Type) {
    if count > Chunk.size { table(type)?.pointee.barred.reserveCapacity(count) }
  }

  /// Notes that the store must not be asked for ids; returns the places of those that are claimed.
  mutating func bar<Element: Cacheable>(
    _ ids: IDs, as type: Element.Type
  ) -> ContiguousArray<ClaimTable.Place> {
    guard let table = table(type) else { return [] }
    table.pointee.barred.add(ids.of(type))
    if isRestoring { table.pointee.outdated.add(ids.of(type)) }
    return setBarred(true, ids, as: type)
  }

  /// Notes that the store may be asked for everything again, except for claimed ids: see `unbar`.
  ///
  /// - Returns: A closure that returns the ids that were barred, in chunks; it takes no lock.
  mutating func takeBarred<Element: Cacheable>(_ type: Element.Type) -> @Sendable () -> [IDs] {
    guard let table = table(type) else { return { [] } }
    let (barred, number) = (barred(in: table), table.pointee.owner)
    table.pointee.barred = []
    barredFew.removeAll { $0.type == number }
    return { Element.chunks(of: IDs(Array(barred), of: number)) }
  }

  /// Notes that the store may be asked again for ids that are no longer barred; returns the places
  /// of those that are claimed.
  mutating func unbar<Element: Cacheable>(
    _ ids: IDs, as type: Element.Type
  ) -> ContiguousArray<ClaimTable.Place> { setBarred(false, ids, as: type) }

  /// Returns the ids of a type that the store must not be asked for.
  func barred<Element: Cacheable>(
    in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Set<Element.ID> {
    barredFew.reduce(into: table.pointee.barred) { barred, ids in
      if ids.type == table.pointee.owner { barred.add(ids.of(Element.self)) }
    }
  }

  /// Returns whether the store must not be asked for an id.
  @usableFromInline
  func isBarred<Element: Cacheable>(
    _ id: Element.ID, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> Bool {
    table.pointee.barred.contains(id)
      || barredFew.contains { $0.type == table.pointee.owner && $0.of(Element.self).contains(id) }
  }

  private func setBarred<Element: Cacheable>(
    _ isBarred: Bool, _ ids: IDs, as type: Element.Type
  ) -> ContiguousArray<ClaimTable.Place> {
    let places = claimed(ids, as: type)
    for place in places { claims[ids.type].pointee[place].isBarred = isBarred }
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
