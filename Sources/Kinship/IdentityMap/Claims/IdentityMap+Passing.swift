/// Claims of calls that let records pass: who leaves what is in memory as it is.
///
/// Such a claim keeps a value in memory and does not take it out of the order of use. A value that
/// comes in for nobody else is a guest: it enters at the cold end, and the limits make room for it
/// until its last claim ends. As soon as anybody else claims it, it is a value like any other.
extension IdentityMap {
  /// A claim to a value that came in for calls alone that let it pass.
  @usableFromInline
  struct Guest: Hashable {
    let type: TypeNumber
    let place: ClaimTable.Place
  }

  // MARK: Making

  /// Claims ids for a call that lets their values pass, each once by a turn.
  mutating func claimPassing(
    _ ids: IDs, turn: UInt32?, _ places: inout ContiguousArray<ClaimTable.Place>
  ) {
    claimPassing(ids, as: elementType(ids.type), turn, &places)
  }

  private mutating func claimPassing<Element: Cacheable>(
    _ ids: IDs, as type: Element.Type, _ turn: UInt32?,
    _ places: inout ContiguousArray<ClaimTable.Place>
  ) {
    guard let table = table(type) else { return }
    let claims = claims[ids.type]
    for id in ids.of(type) {
      let tag = SlotIndex.tag(of: id)
      var place = table.claim(to: id, tag, claims)
      if place == 0 {
        let slot = table.find(id, tag, in: pages) ?? .none
        place = addClaim(to: id, tag, slot, isPassing: true, in: table, claims)
      }
      if claims.pointee.note(place, turn) { places.append(place) }
    }
  }

  /// Notes that a claim is made by somebody who does not let the value pass.
  @usableFromInline
  mutating func settle(_ place: ClaimTable.Place, of type: TypeNumber) {
    let claims = claims[type]
    guard claims.pointee[place].isPassing else { return }
    claims.pointee.rows[Int(place)].isPassing = false
    passingCount -= 1
    removeGuest(place, of: type)
    let slot = claims.pointee[place].slot
    if slot != .none { recency.hold(slot) }
  }

  // MARK: Guests

  /// Makes room for a value that has come in, if that is for calls alone that let it pass.
  @usableFromInline
  mutating func welcome(_ place: ClaimTable.Place, of type: TypeNumber, cost: Int) {
    guard claims[type].pointee[place].isPassing else { return }
    guests[Guest(type: type, place: place)] = cost
    room = room.adding(count: 1, cost: cost)
  }

  /// Takes the room back that there is for a value.
  @usableFromInline
  mutating func removeGuest(_ place: ClaimTable.Place, of type: TypeNumber) {
    guard let cost = guests.removeValue(forKey: Guest(type: type, place: place)) else { return }
    room = room.adding(count: -1, cost: -cost)
  }

  /// Notes that the last of the calls has ended that let a value pass.
  mutating func endPassing(_ place: ClaimTable.Place, of type: TypeNumber) {
    passingCount -= 1
    removeGuest(place, of: type)
    let slot = claims[type].pointee[place].slot
    // What was in the way of an eviction is where it was: at the cold end.
    if slot != .none, recency.isHeld(slot) { recency.insertLast(slot) }
  }

  // MARK: Evicting

  /// The least recently used value that is not claimed, or `Slot.none`.
  ///
  /// Claimed ones in its way are put aside: no eviction comes upon them for a second time.
  @inlinable
  mutating func nextVictim() -> Slot {
    if passingCount > 0 { putClaimedAside() }
    return recency.last
  }

  @usableFromInline
  mutating func putClaimedAside() {
    while recency.last != .none, isClaimed(recency.last) { recency.hold(recency.last) }
  }

  /// Whether the value in a slot is claimed.
  @inlinable
  func isClaimed(_ slot: Slot) -> Bool {
    recency.isHeld(slot) || (passingCount > 0 && isClaimedInOrder(slot))
  }

  @usableFromInline
  func isClaimedInOrder(_ slot: Slot) -> Bool {
    claims[pages.type(of: slot)].pointee.find(recency.tag(of: slot), slot) != 0
  }

  // MARK: Values

  /// Adds a range of loaded values at the cold end, and leaves those in memory as they are.
  ///
  /// - Parameters:
  ///   - values: The values.
  ///   - range: Which of them.
  ///   - table: The table of their type.
  /// - Returns: How many were not in memory; and unless these are all, what is, in the order of the
  ///   range.
  mutating func addPassing<Element: Cacheable>(
    _ values: [Element], _ range: Range<Int>, in table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> (loaded: Int, current: [Element]?) {
    let stamp = clock.next()
    let claims = claims[table.pointee.owner]
    var current: [Element] = []
    var loaded = 0
    for value in values[range] {
      let tag = SlotIndex.tag(of: value.id)
      if let slot = table.find(value.id, tag, in: pages) {
        current.append(pages.pointer(to: slot, as: Element.self).pointee)
      } else if !table.isMissing(value.id) {
        let place =
          claims.pointee.isEmpty ? 0 : table.claim(to: value.id, tag, claims)
        insert(value, tag, stamp, claimedAt: place, asLast: true, in: table)
        evictOverflow()
        loaded += 1
        current.append(value)
      }
    }
    return (loaded, loaded == range.count ? nil : current)
  }
}

extension Limits {
  /// Limits that are higher, or lower; those that are none stay so.
  func adding(count: Int, cost: Int) -> Limits {
    Limits(
      count: self.count == .max ? .max : self.count + count,
      cost: self.cost == .max ? .max : self.cost + cost)
  }
}
