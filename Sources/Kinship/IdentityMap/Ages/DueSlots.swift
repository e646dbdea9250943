/// Slots of one type by the moment at which their values may expire.
///
/// Nothing is moved when a value is renewed or leaves: each slot is inserted once, under a moment
/// no later than that at which its value expires. A check then reads the slot's current value, and
/// inserts the slot again if the value is younger. So a write costs nothing, and the number of
/// checks is proportional to that of the values that were due once.
@usableFromInline
struct DueSlots {
  /// The maximum age of the values.
  let lifetime: Age
  /// Some dozens of moments, the earliest first, and the slots to check then.
  private var steps: [(moment: UInt32, slots: ContiguousArray<Slot>)] = []
  /// A bit for each slot that was inserted.
  private var noted: [UInt64] = []

  init(lifetime: Age) { self.lifetime = lifetime }

  /// The first moment at which there is anything to check.
  var first: Stamp? { steps.first.map { Stamp($0.moment) } }

  /// The time span whose due values are checked together.
  private var step: UInt32 { max(1, lifetime.tenths / 32) }

  /// Inserts a slot by the stamp of its value, unless it is there already.
  ///
  /// - Returns: Whether it is the first of a moment.
  /// - Complexity: O(1), amortised.
  mutating func insert(_ slot: Slot, _ stamp: Stamp) -> Bool {
    let (word, bit) = (slot.index / 64, UInt64(1) << UInt64(slot.index % 64))
    if word >= noted.count {
      let missing = max(word + 1, noted.count * 2) - noted.count
      noted.append(contentsOf: repeatElement(0, count: missing))
    }
    if noted[word] & bit != 0 { return false }
    noted[word] |= bit
    let due = stamp.after(lifetime).rawValue
    let moment = due > .max - step ? .max : (due + step) / step * step
    // Most are in order.
    var index = steps.count
    while index > 0, steps[index - 1].moment > moment { index -= 1 }
    if index > 0, steps[index - 1].moment == moment {
      steps[index - 1].slots.append(slot)
      return false
    }
    steps.insert((moment, [slot]), at: index)
    return true
  }

  /// Removes and returns slots to check, at most so many.
  mutating func popDue(until now: Stamp, limit: Int) -> ContiguousArray<Slot> {
    if steps.isEmpty || steps[0].moment > now.rawValue { return [] }
    let slots = ContiguousArray(steps[0].slots.suffix(limit))
    steps[0].slots.removeLast(slots.count)
    if steps[0].slots.isEmpty { steps.removeFirst() }
    for slot in slots { noted[slot.index / 64] &= ~(1 << UInt64(slot.index % 64)) }
    return slots
  }

  /// Removes all slots.
  mutating func removeAll() { (steps, noted) = ([], []) }
}
