/// What the map does with claims to ids of a type that it knows by number only.
///
/// As with the operations of a table, the closures are made where the type is known to the compiler.
@usableFromInline
struct ClaimOperations: Sendable {
  @usableFromInline typealias Places = ContiguousArray<ClaimTable.Place>

  /// Claims each of an array of ids.
  @usableFromInline let claim: @Sendable (inout IdentityMap, any Sendable) -> Places
  /// Claims the ids of several arrays, each once.
  @usableFromInline let claimDistinct: @Sendable (inout IdentityMap, [any Sendable]) -> Places
  /// Claims the values in slots.
  @usableFromInline let claimSlots: @Sendable (inout IdentityMap, ArraySlice<Slot>) -> Places
  /// Forgets the ids, when there is no claim left.
  @usableFromInline let clear: @Sendable (inout IdentityMap) -> Void
  /// The claimed ids, as an array.
  @usableFromInline let ids: @Sendable (borrowing IdentityMap, Places) -> any Sendable
  /// The claimed values as an array of optionals; nothing if any is absent.
  @usableFromInline let read: @Sendable (borrowing IdentityMap, Places) -> (any Sendable)?
  /// Those of some claims whose ids are neither in memory nor known missing.
  @usableFromInline let absent: @Sendable (borrowing IdentityMap, Places) -> Places
  /// The places of those of an array of ids that are claimed.
  @usableFromInline let claimed: @Sendable (borrowing IdentityMap, any Sendable) -> Places
  /// Which of an array of values is the one with each of an array of ids, or -1.
  @usableFromInline
  let match:
    @Sendable (any Sendable, any Sendable) throws(UnexpectedValue) -> ContiguousArray<Int32>
  /// Takes in an array of values as the answer to claims.
  @usableFromInline
  let admit: @Sendable (inout IdentityMap, any Sendable, ContiguousArray<Int32>, Places) -> Void
  /// Forgets what is known of some claims: it was too old to be kept.
  @usableFromInline let forget: @Sendable (inout IdentityMap, Places) -> Void
  /// Notes that the store must not be asked for an array of ids; returns which of them are claimed.
  @usableFromInline let bar: @Sendable (inout IdentityMap, any Sendable) -> Places
  /// Notes that the store may be asked for everything again; returns what is claimed of it.
  @usableFromInline let unbar: @Sendable (inout IdentityMap) -> Places

  @inlinable
  init<Element: Cacheable>(of type: Element.Type) {
    claim = { map, ids in map.claim(ids as? [Element.ID] ?? [], as: Element.self) }
    claimDistinct = { map, pieces in
      map.claimDistinct(
        pieces.lazy.map { $0 as? [Element.ID] ?? [] }, as: Element.self)
    }
    claimSlots = { map, slots in map.claim(slots, of: Element.self) }
    clear = { map in
      guard let table = map.table(Element.self) else { return }
      table.pointee.claimedIDs.removeAll(
        keepingCapacity: table.pointee.claimedIDs.count <= 1024)
    }
    ids = { map, places in
      var ids: [Element.ID] = []
      guard let table = map.table(Element.self) else { return ids }
      ids.reserveCapacity(places.count)
      for place in places { ids.append(table.pointee.claimedIDs[Int(place) &- 1]) }
      return ids
    }
    read = { map, places in map.read(places, as: Element.self) }
    absent = { map, places in map.absent(places, as: Element.self) }
    claimed = { map, ids in map.claimed(ids as? [Element.ID] ?? [], as: Element.self) }
    match = { values, ids throws(UnexpectedValue) in
      try Element.match(values as? [Element] ?? [], to: ids as? [Element.ID] ?? [])
    }
    admit = { map, values, found, places in
      map.admit(values as? [Element] ?? [], found, for: places)
    }
    forget = { map, places in map.forget(places, as: Element.self) }
    bar = { map, ids in map.bar(ids as? [Element.ID] ?? [], as: Element.self) }
    unbar = { map in map.unbar(Element.self) }
  }
}
