/// What the map does with claims to ids of a type that it knows by number only.
///
/// As with the operations of a table, the closures for loads are made where the type is known to the compiler.
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
  /// Whether all ids of some claims could be found again.
  @usableFromInline let areStable: @Sendable (borrowing IdentityMap, Places) -> Bool
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

  /// Claims an array of ids; with the number of the call, each once.
  @usableFromInline typealias Claim =
    @Sendable (inout IdentityMap, any Sendable, UInt32?, inout Places) -> Void
  /// The ids of an array of values, as an array.
  @usableFromInline typealias IDs = @Sendable (any Sendable) -> any Sendable
  /// The values in slots, as an array of optionals, `nil` for no slot.
  @usableFromInline typealias ReadSlots =
    @Sendable (borrowing IdentityMap, ContiguousArray<Slot>) -> any Sendable
  @usableFromInline typealias Admit =
    @Sendable (inout IdentityMap, any Sendable, ContiguousArray<Int32>, Places) -> Void

  @inlinable
  init<Element: Cacheable>(of type: Element.Type) {
    self.init(
      of: type,
      claim: { map, ids, turn, places in
        map.claim(ids as? [Element.ID] ?? [], as: Element.self, turn: turn, &places)
      },
      idsOfValues: { values in
        let values = values as? [Element] ?? []
        return [Element.ID](unsafeUninitializedCapacity: values.count) { ids, count in
          for value in values {
            ids.initializeElement(at: count, to: value.id)
            count &+= 1
          }
        }
      },
      readSlots: { map, slots in
        [Element?](unsafeUninitializedCapacity: slots.count) { values, count in
          for slot in slots {
            values.initializeElement(
              at: count,
              to: slot == .none ? nil : map.pages.pointer(to: slot, as: Element.self).pointee)
            count &+= 1
          }
        }
      },
      admit: { map, values, found, places in
        map.admit(values as? [Element] ?? [], found, for: places)
      })
  }

  /// What need not be specialised.
  @usableFromInline
  init<Element: Cacheable>(
    of type: Element.Type, claim claimIDs: @escaping Claim, idsOfValues: @escaping IDs,
    readSlots: @escaping ReadSlots, admit: @escaping Admit
  ) {
    self.admit = admit
    claim = { map, ids in
      var places = Places()
      places.reserveCapacity((ids as? [Element.ID])?.count ?? 0)
      claimIDs(&map, ids, nil, &places)
      return places
    }
    claimDistinct = { map, pieces in
      var places = Places()
      guard let table = map.table(Element.self) else { return places }
      let claims = map.claims[table.pointee.owner]
      claims.pointee.turn &+= 1
      let turn = claims.pointee.turn
      for ids in pieces {
        places.reserveCapacity(places.count &+ ((ids as? [Element.ID])?.count ?? 0))
        claimIDs(&map, ids, turn, &places)
      }
      return places
    }
    read = { map, places in
      map.slots(of: places, as: Element.self).map { readSlots(map, $0) }
    }
    absent = { map, places in map.absent(places, as: Element.self) }
    match = { values, ids throws(UnexpectedValue) in
      try Element.match(
        values as? [Element] ?? [], idsOfValues(values) as? [Element.ID] ?? [],
        to: ids as? [Element.ID] ?? [])
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
    areStable = { map, places in map.areStable(places, as: Element.self) }
    claimed = { map, ids in map.claimed(ids as? [Element.ID] ?? [], as: Element.self) }
    forget = { map, places in map.forget(places, as: Element.self) }
    bar = { map, ids in map.bar(ids as? [Element.ID] ?? [], as: Element.self) }
    unbar = { map in map.unbar(Element.self) }
  }
}
