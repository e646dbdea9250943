extension IdentityMap {
  /// Sets the maximum age of a type's values in memory.
  mutating func setLifetime(_ lifetime: Age, of type: TypeNumber) {
    if due.isEmpty { due = ContiguousArray(repeating: nil, count: operations.count) }
    due[type.index] = DueSlots(lifetime: lifetime)
  }

  /// The first moment at which a value may expire.
  var firstDue: Stamp? { due.lazy.compactMap { $0?.first }.min() }

  /// Adds the due moment of a slot's value, if values of its type expire.
  @usableFromInline
  mutating func addDue(_ slot: Slot, _ stamp: Stamp, _ type: TypeNumber) {
    if due[type.index]?.insert(slot, stamp) == true { isAlarmWanted = true }
  }

  /// Removes expired values, except for those that are held or pending.
  ///
  /// - Parameter limit: The number of slots to check.
  /// - Returns: Whether that was all.
  /// - Complexity: O(*n*) in the slots that are checked.
  mutating func removeExpired(limit: Int) -> Bool {
    let now = clock.now
    var rest = limit
    for number in due.indices {
      guard let lifetime = due[number]?.lifetime else { continue }
      while rest > 0, let slots = due[number]?.popDue(until: now, limit: rest), !slots.isEmpty {
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
      addDue(slot, stamp, type)
    } else if recency.isHeld(slot) {
      // Check it again at the moment at which it would be due if it were renewed now.
      addDue(slot, now, type)
    } else {
      tally.expired &+= 1
      operations[type].drop(&self, slot, .expired)
    }
  }
}
