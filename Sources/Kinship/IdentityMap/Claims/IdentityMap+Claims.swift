extension IdentityMap {
  // MARK: Making

  /// Claims each of some ids, whether or not its value is in memory, and appends the places.
  ///
  /// With a turn, the number of this call, it claims each id only once. If the call is `passing`,
  /// the recency order does not change.
  ///
  /// - Complexity: O(*n*) on average.
  @inlinable
  mutating func claim<Element: Cacheable>(
    _ ids: [Element.ID], as type: Element.Type, turn: UInt32?, passing isPassing: Bool,
    _ places: inout ContiguousArray<ClaimTable.Place>
  ) {
    guard let table = table(type) else { return }
    let claims = claims[table.pointee.owner]
    for id in ids {
      let place = claimPlace(of: id, passing: isPassing, in: table, claims)
      if claims.pointee.addClaimant(place, turn) { places.append(place) }
    }
  }

  /// Claims each of some ids; with `passing`, the recency order does not change.
  mutating func claim(_ ids: IDs, passing: Bool = false) -> Claims {
    var places: ContiguousArray<ClaimTable.Place> = []
    places.reserveCapacity(ids.count)
    operations[ids.type].claim(&self, ids, nil, passing, &places)
    return Claims(type: ids.type, places: places)
  }

  /// Claims the ids of several lists of a type, each once; with `passing`, the recency order does
  /// not change.
  ///
  /// The turn marks ids that were claimed already: the first of several calls that belong together
  /// sets it. An id that another caller has claimed between two calls may have two claims.
  mutating func claimDistinct(
    _ lists: [IDs], of type: TypeNumber, _ turn: inout UInt32?, passing: Bool = false
  ) -> Claims {
    var places: ContiguousArray<ClaimTable.Place> = []
    let claims = claims[type]
    if turn == nil {
      claims.pointee.turn &+= 1
      turn = claims.pointee.turn
    }
    for ids in lists {
      places.reserveCapacity(places.count &+ ids.count)
      operations[type].claim(&self, ids, turn, passing, &places)
    }
    return Claims(type: type, places: places)
  }

  /// Claims the values in slots, without hashing their ids: the hashes are in the recency list.
  ///
  /// - Complexity: O(*n*) on average.
  mutating func claim(
    _ slots: some Collection<Slot>, of type: TypeNumber, passing: Bool = false
  ) -> Claims {
    Claims(type: type, places: claim(slots, as: elementType(type), passing))
  }

  private mutating func claim<Element: Cacheable>(
    _ slots: some Collection<Slot>, as type: Element.Type, _ isPassing: Bool
  ) -> ContiguousArray<ClaimTable.Place> {
    var places: ContiguousArray<ClaimTable.Place> = []
    guard let table = table(type) else { return places }
    let claims = claims[table.pointee.owner]
    places.reserveCapacity(slots.count)
    for slot in slots {
      let tag = recency.tag(of: slot)
      let place: ClaimTable.Place
      if isClaimed(slot) {
        place = claims.pointee.find(tag, slot)
        if !isPassing { removePassingMark(place, of: table.pointee.owner) }
      } else {
        let id = pages.pointer(to: slot, as: type).id
        place = addClaim(to: id, tag, slot, isPassing: isPassing, in: table, claims)
      }
      claims.pointee.rows[Int(place)].claimants &+= 1
      places.append(place)
    }
    return places
  }

  /// Returns the place of the claim to an id, adding it if necessary.
  @inlinable
  @inline(never)  // Inlined, it would be most of the code of each record type.
  mutating func claimPlace<Element: Cacheable>(
    of id: Element.ID, passing isPassing: Bool,
    in table: UnsafeMutablePointer<RecordTable<Element>>,
    _ claims: UnsafeMutablePointer<ClaimTable>
  ) -> ClaimTable.Place {
    let tag = SlotIndex.tag(of: id)
    let place = table.claim(to: id, tag, claims)
    if place != 0 {
      if passingCount > 0, !isPassing { removePassingMark(place, of: table.pointee.owner) }
      return place
    }
    let slot = table.find(id, tag, in: pages) ?? .none
    return addClaim(to: id, tag, slot, isPassing: isPassing, in: table, claims)
  }

  @inlinable
  mutating func addClaim<Element: Cacheable>(
    to id: Element.ID, _ tag: UInt32, _ slot: Slot, isPassing: Bool,
    in table: UnsafeMutablePointer<RecordTable<Element>>,
    _ claims: UnsafeMutablePointer<ClaimTable>
  ) -> ClaimTable.Place {
    let place = holdSlot(slot, tag, isPassing: isPassing, claims)
    table.pointee.claimedIDs.put(id, at: Int(place) &- 1)
    if !blockedFew.isEmpty || !table.pointee.blocked.isEmpty {
      claims.pointee[place].isBlocked = isBlocked(id, in: table)
    }
    return place
  }

  /// Adds a claim to an id, and removes its value from the recency order if there is one, unless
  /// the call is `passing`: the same for all types.
  @usableFromInline
  mutating func holdSlot(
    _ slot: Slot, _ tag: UInt32, isPassing: Bool, _ claims: UnsafeMutablePointer<ClaimTable>
  ) -> ClaimTable.Place {
    if slot != .none, !isPassing { recency.hold(slot) }
    let place = claims.pointee.add(tag, slot)
    if isPassing {
      claims.pointee[place].isPassing = true
      passingCount += 1
    }
    return place
  }

  // MARK: Ending

  /// Ends claims; a value whose last claim ends becomes the most recently used, unless all its
  /// claims were from `passing` calls.
  ///
  /// It does not evict anything yet: see `evictOverflow`.
  ///
  /// - Complexity: O(*n*) on average.
  mutating func end(_ ended: Claims) {
    let claims = claims[ended.type]
    for place in ended.places {
      let row = claims.pointee[place]
      if row.claimants > 1 {
        claims.pointee.rows[Int(place)].claimants = row.claimants &- 1
      } else {
        if row.isPassing {
          endPassingClaim(place, of: ended.type)
        } else if row.slot != .none {
          recency.insertFirst(row.slot)
        }
        claims.pointee.remove(place)
      }
    }
    if claims.pointee.isEmpty {
      dropped += claims.pointee.clear() as [any Sendable]
      clearClaims(elementType(ended.type))
    }
  }

  private mutating func clearClaims<Element: Cacheable>(_ type: Element.Type) {
    guard let table = table(type) else { return }
    if table.pointee.claimedIDs.count > Chunk.large { dropped.append(table.pointee.claimedIDs) }
    table.pointee.claimedIDs = PagedArray()
  }

  // MARK: Lookup

  /// The claimed ids.
  func ids(of claims: Claims) -> IDs {
    ids(of: claims.places, as: elementType(claims.type), claims.type)
  }

  private func ids<Element: Cacheable>(
    of places: ContiguousArray<ClaimTable.Place>, as type: Element.Type, _ number: TypeNumber
  ) -> IDs {
    guard let table = table(type) else { return IDs([Element.ID](), of: number) }
    return IDs(places.map { table.pointee.claimedIDs[Int($0) &- 1] }, of: number)
  }

  /// The first of some claims with an id that could not be found again.
  func firstUnstable(of claims: [Claims]) -> Claims? {
    claims.first { !areStable($0.places, as: elementType($0.type)) }
  }

  /// Returns the number of claimed values in memory.
  func countPresent(_ claimed: Claims) -> Int {
    let claims = claims[claimed.type]
    return claimed.places.count { claims.pointee[$0].slot != .none }
  }
}

extension UnsafeMutablePointer where Pointee: ~Copyable {
  /// The place of the claim to an id, or 0.
  @inlinable
  func claim<Element: Cacheable>(
    to id: Element.ID, _ tag: UInt32, _ claims: UnsafeMutablePointer<ClaimTable>
  ) -> ClaimTable.Place where Pointee == RecordTable<Element> {
    claims.pointee.find(tag) { place in pointee.claimedIDs[Int(place) &- 1] == id }
  }
}
