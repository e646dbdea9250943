/// Claims of `passing` calls, which leave the recency order of values in memory alone.
///
/// Such a claim keeps a value in memory without removing it from the recency order. A value that is
/// loaded for `passing` calls only enters as the least recently used, and the limits are extended
/// for it until its last claim ends. As soon as another caller claims it, it is a value like any
/// other.
extension IdentityMap {
  /// A claim to a value that was loaded only for `passing` calls.
  @usableFromInline
  struct PassingClaim: Hashable {
    let type: TypeNumber
    let place: ClaimTable.Place
  }

  /// Turns a claim of `passing` calls into a usual one, because another caller has made it.
  @usableFromInline
  mutating func removePassingMark(_ place: ClaimTable.Place, of type: TypeNumber) {
    let claims = claims[type]
    guard claims.pointee[place].isPassing else { return }
    claims.pointee.rows[Int(place)].isPassing = false
    passingCount -= 1
    lowerLimits(place, of: type)
    let slot = claims.pointee[place].slot
    if slot != .none { recency.hold(slot) }
  }

  // MARK: Extended limits

  /// Extends the limits for a loaded value, if only `passing` calls claim it.
  @usableFromInline
  mutating func raiseLimits(_ place: ClaimTable.Place, of type: TypeNumber, cost: Int) {
    guard claims[type].pointee[place].isPassing else { return }
    passingClaims[PassingClaim(type: type, place: place)] = cost
    room = room.adding(count: 1, cost: cost)
  }

  /// Withdraws the extra room for a value.
  @usableFromInline
  mutating func lowerLimits(_ place: ClaimTable.Place, of type: TypeNumber) {
    guard let cost = passingClaims.removeValue(forKey: PassingClaim(type: type, place: place))
    else { return }
    room = room.adding(count: -1, cost: -cost)
  }

  /// Ends the claim to a value, once the last `passing` call with it has ended.
  mutating func endPassingClaim(_ place: ClaimTable.Place, of type: TypeNumber) {
    passingCount -= 1
    lowerLimits(place, of: type)
    let slot = claims[type].pointee[place].slot
    // A value that was in the way of an eviction was the least recently used: put it back there.
    if slot != .none, recency.isHeld(slot) { recency.insertLast(slot) }
  }

  // MARK: Evicting

  /// Returns the least recently used value that is not claimed, or `Slot.none`.
  ///
  /// Claimed values in its way are put aside, so that no eviction meets them again.
  @inlinable
  mutating func nextVictim() -> Slot {
    if passingCount > 0 { putClaimedAside() }
    // E2: the least recently used value.
    return recency.last
  }

  @usableFromInline
  mutating func putClaimedAside() {
    while recency.last != .none, isClaimed(recency.last) { recency.hold(recency.last) }
  }

  /// Returns whether the value in a slot is claimed.
  @inlinable
  func isClaimed(_ slot: Slot) -> Bool {
    recency.isHeld(slot) || (passingCount > 0 && isClaimedInOrder(slot))
  }

  @usableFromInline
  func isClaimedInOrder(_ slot: Slot) -> Bool {
    claims[pages.type(of: slot)].pointee.find(recency.tag(of: slot), slot) != 0
  }
}

extension Limits {
  /// Returns limits that are higher or lower; absent limits stay absent.
  func adding(count: Int, cost: Int) -> Limits {
    Limits(
      count: self.count == .max ? .max : self.count + count,
      cost: self.cost == .max ? .max : self.cost + cost)
  }
}
