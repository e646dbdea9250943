/// Slots of one type by the moment at which their values may have become too old to stay.
///
/// Nothing is moved when a value is renewed or leaves: each slot is noted once, under a moment that
/// comes no later than that at which its value is due. Who looks then sees what the slot holds by
/// now, and notes it anew if it is younger. So a write costs nothing, and what is looked at is in
/// proportion to what was due once.
@usableFromInline
struct DueSlots {
  /// How old the values may become.
  let lifetime: Age
  /// Some dozens of moments, the earliest first, and the slots to be looked at then.
  private var steps: [(moment: UInt32, slots: ContiguousArray<Slot>)] = []
  /// A bit for each slot that is noted.
  private var noted: [UInt64] = []

  init(lifetime: Age) { self.lifetime = lifetime }

  /// The first moment at which there is anything to look at.
  var first: Stamp? { steps.first.map { Stamp($0.moment) } }

  /// Values are looked at together that become due within this time.
  private var step: UInt32 { max(1, lifetime.tenths / 32) }

  /// Notes a slot by the stamp of its value, unless it is noted already.
  ///
  /// - Returns: Whether it is the first of a moment.
  /// - Complexity: O(1), amortised.
  mutating func note(_ slot: Slot, _ stamp: Stamp) -> Bool {
    let (word, bit) = (slot.index / 64, UInt64(1) << UInt64(slot.index % 64))
    if word >= noted.count {
      let missing = max(word + 1, noted.count * 2) - noted.count
      noted.append(contentsOf: repeatElement(0, count: missing))
    }
    if noted[word] & bit != 0 { return false }
    noted[word] |= bit
    let due = stamp.after(lifetime).rawValue
    let moment = due > .max - step ? .max : (due + step) / step * step
    // Most come in order.
    var index = steps.count
    while index > 0, steps[index - 1].moment > moment { index -= 1 }
    if index > 0, steps[index - 1].moment == moment {
      steps[index - 1].slots.append(slot)
      return false
    }
    steps.insert((moment, [slot]), at: index)
    return true
  }

  /// Takes slots out that are to be looked at, at most so many.
  mutating func take(until now: Stamp, limit: Int) -> ContiguousArray<Slot> {
    if steps.isEmpty || steps[0].moment > now.rawValue { return [] }
    let slots = ContiguousArray(steps[0].slots.suffix(limit))
    steps[0].slots.removeLast(slots.count)
    if steps[0].slots.isEmpty { steps.removeFirst() }
    for slot in slots { noted[slot.index / 64] &= ~(1 << UInt64(slot.index % 64)) }
    return slots
  }

  /// Forgets all slots.
  mutating func removeAll() { (steps, noted) = ([], []) }
}
