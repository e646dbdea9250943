extension IdentityMap {
  /// Says how old the values of a type may become before they leave.
  mutating func setLifetime(_ lifetime: Age, of type: TypeNumber) {
    if due.isEmpty { due = ContiguousArray(repeating: nil, count: operations.count) }
    due[type.index] = DueSlots(lifetime: lifetime)
  }

  /// The first moment at which a value may have to leave.
  var firstDue: Stamp? { due.lazy.compactMap { $0?.first }.min() }

  /// Notes when the value of a slot is due, if values of its type are ever.
  @usableFromInline
  mutating func noteDue(_ slot: Slot, _ stamp: Stamp, _ type: TypeNumber) {
    if due[type.index]?.note(slot, stamp) == true { isAlarmWanted = true }
  }

  /// Lets go of values that are too old to stay: not of those that are held, or pending.
  ///
  /// - Parameter limit: How many slots to look at.
  /// - Returns: Whether that was all.
  /// - Complexity: O(*n*) in the slots that are looked at.
  mutating func removeExpired(limit: Int) -> Bool {
    let now = clock.now
    var rest = limit
    for number in due.indices {
      guard let lifetime = due[number]?.lifetime else { continue }
      while rest > 0, let slots = due[number]?.take(until: now, limit: rest), !slots.isEmpty {
        rest -= slots.count
        for slot in slots { removeIfExpired(slot, TypeNumber(number), lifetime, now) }
      }
    }
    return rest > 0
  }

  private mutating func removeIfExpired(
    _ slot: Slot, _ type: TypeNumber, _ lifetime: Age, _ now: Stamp
  ) {
    guard slot.index < pages.slotCount, pages.isOccupied(slot), pages.type(of: slot) == type else {
      return
    }
    let stamp = recency.stamp(of: slot)
    if stamp.after(lifetime) >= now {
      noteDue(slot, stamp, type)
    } else if recency.isHeld(slot) {
      // It is looked at again when it could be due if it were renewed now.
      noteDue(slot, now, type)
    } else {
      tally.expired &+= 1
      operations[type].drop(&self, slot, .expired)
    }
  }
}
