extension IdentityMap {
  /// Notes that the store must not be asked for ids.
  ///
  /// - Returns: The places of those that are claimed.
  mutating func bar<Element: Cacheable>(
    _ ids: IDs, as type: Element.Type
  ) -> ContiguousArray<ClaimTable.Place> {
    guard let table = table(type) else { return [] }
    let ids = ids.of(type)
    table.pointee.barred.formUnion(ids)
    if isRestoring { table.pointee.outdated.formUnion(ids) }
    return setBarred(true, ids, in: table)
  }

  /// Notes that the store may be asked for everything again.
  ///
  /// - Returns: The places of what is claimed and was barred.
  mutating func unbar<Element: Cacheable>(
    _ type: Element.Type
  ) -> ContiguousArray<ClaimTable.Place> {
    guard let table = table(type) else { return [] }
    let ids = table.pointee.barred
    table.pointee.barred = []
    return setBarred(false, ids, in: table)
  }

  private mutating func setBarred<Element: Cacheable>(
    _ isBarred: Bool, _ ids: some Sequence<Element.ID>,
    in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> ContiguousArray<ClaimTable.Place> {
    let claims = claims[table.pointee.owner]
    var places: ContiguousArray<ClaimTable.Place> = []
    for id in ids {
      let place = table.pointee.claim(to: id, SlotIndex.tag(of: id), claims)
      if place == 0 { continue }
      claims.pointee[place].isBarred = isBarred
      places.append(place)
    }
    return places
  }

  /// The places of those of some ids that are claimed.
  func claimed<Element: Cacheable>(
    _ ids: IDs, as type: Element.Type
  ) -> ContiguousArray<ClaimTable.Place> {
    guard let table = table(type) else { return [] }
    let claims = claims[table.pointee.owner]
    var places: ContiguousArray<ClaimTable.Place> = []
    for id in ids.of(type) {
      let place = table.pointee.claim(to: id, SlotIndex.tag(of: id), claims)
      if place != 0 { places.append(place) }
    }
    return places
  }
}
