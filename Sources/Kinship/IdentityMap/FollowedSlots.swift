/// The slots that the refs of a run of records lead to: integers only, filled by relationships,
/// read by a traversal.
@usableFromInline
struct FollowedSlots: Sendable {
  /// The slots in the order of the records and of their refs: `Slot.none` for no ref,
  /// `Slot.absent` and `Slot.missing` for refs without a value in memory.
  @usableFromInline var slots: ContiguousArray<Slot> = []
  /// The number of refs of each record; empty for a to-one relationship, which always has one
  /// entry.
  @usableFromInline var counts: ContiguousArray<UInt32> = []

  /// The number of slots that have been taken out.
  @usableFromInline var taken = 0
  /// Whether the relationship is followed at all.
  @usableFromInline var isWanted = false
  /// The maximum number of refs to look up.
  @usableFromInline var room = Int.max
  /// The number of refs of each record to skip, for a single record whose first refs were looked up
  /// before.
  @usableFromInline var skipped = 0
  /// The first record with more refs than there was room for; only to-many relationships have one.
  var firstCut = Int.max
  /// The number of refs of that record.
  var cutCount = 0

  @inlinable
  init() {}

  /// The range of refs of the next record, in a to-many relationship, to look up.
  @usableFromInline
  mutating func part(of count: Int) -> Range<Int> {
    let first = min(skipped, count)
    let rest = room &- slots.count
    if count &- first <= rest { return first..<count }
    if firstCut == .max { (firstCut, cutCount) = (counts.count, count) }
    return first..<first &+ rest
  }

  /// Removes and returns the next slot.
  mutating func takeNext() -> Slot {
    defer { taken += 1 }
    return slots[taken]
  }

  /// Notes the target of a ref.
  @usableFromInline  // Not inlinable: each relationship of each record type would have a copy.
  mutating func append(_ slot: Slot) { slots.append(slot) }

  /// Notes that the refs of a record end here.
  @usableFromInline
  mutating func endRecord(from before: Int, isToMany: Bool) {
    let count = slots.count &- before
    if isToMany {
      counts.append(UInt32(truncatingIfNeeded: count))
    } else if count == 0 {
      slots.append(.none)
    }
  }

  /// Removes all of it; keeps the memory if it is little.
  mutating func removeAll() {
    slots.removeAll(keepingCapacity: slots.count <= 1 << 14)
    counts.removeAll(keepingCapacity: counts.count <= 1 << 14)
    taken = 0
    room = .max
    skipped = 0
    firstCut = .max
  }
}

/// One of the refs of a record in memory.
@usableFromInline
struct RefPosition: Sendable {
  @usableFromInline let slot: Slot
  /// The index of the ref in a to-many relationship; 0 for a to-one.
  @usableFromInline let element: Int

  @inlinable
  init(slot: Slot, element: Int) {
    self.slot = slot
    self.element = element
  }
}

extension UnsafeMutablePointer where Pointee: ~Copyable {
  /// Returns the slot of an id, or the reason for its absence.
  @inlinable
  @inline(never)  // Once for each type, not for each relationship to it.
  func lookup<Element: Cacheable>(
    _ id: Element.ID, in pages: borrowing Pages
  ) -> Slot where Pointee == RecordTable<Element> { find(id, in: pages) ?? absence(of: id) }
}
