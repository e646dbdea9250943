/// From an id's hash to the slot of its value: open addressing with linear probing.
///
/// It holds no ids, which are in the values already: a bucket is 32 bits of the hash and a slot.
/// Growing and removing need no rehashing of ids, a lookup touches one bucket line and then the
/// value itself. Removal shifts later entries back (Knuth, TAOCP 3, 6.4, algorithm R), so that no
/// tombstones collect.
@usableFromInline
struct SlotIndex: ~Copyable {
  @usableFromInline var buckets: PlainBuffer<UInt64>
  @usableFromInline var count: Int

  @usableFromInline
  init() {
    buckets = PlainBuffer(repeating: 0, count: 8)
    count = 0
  }

  /// The 32 bits of an id's hash that the index keeps.
  @inlinable
  static func tag<ID: Hashable>(of id: ID) -> UInt32 {
    UInt32(truncatingIfNeeded: id.hashValue)
  }

  @inlinable var mask: Int { buckets.count &- 1 }

  @inlinable
  static func slot(in bucket: UInt64) -> Slot { Slot(UInt32(truncatingIfNeeded: bucket)) }

  @inlinable
  static func tag(in bucket: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: bucket &>> 32) }

  /// The slot with the tag for which `matches` is true.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  func find(_ tag: UInt32, where matches: (Slot) -> Bool) -> Slot? {
    let mask = self.mask
    var position = Int(tag) & mask
    while true {
      let bucket = buckets[position]
      if bucket == 0 { return nil }
      if Self.tag(in: bucket) == tag {
        let slot = Self.slot(in: bucket)
        if matches(slot) { return slot }
      }
      position = (position &+ 1) & mask
    }
  }

  /// Adds a slot that is not in the index yet.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  mutating func insert(_ tag: UInt32, _ slot: Slot) {
    if (count &+ 1) &* 4 > buckets.count &* 3 { resize(to: buckets.count &* 2) }
    count &+= 1
    place(UInt64(tag) &<< 32 | UInt64(slot.rawValue))
  }

  @inlinable
  mutating func place(_ bucket: UInt64) {
    let mask = self.mask
    var position = Int(Self.tag(in: bucket)) & mask
    while buckets[position] != 0 { position = (position &+ 1) & mask }
    buckets[position] = bucket
  }

  /// Takes out a slot that is in the index.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  mutating func remove(_ tag: UInt32, _ slot: Slot) {
    let mask = self.mask
    let target = UInt64(tag) &<< 32 | UInt64(slot.rawValue)
    var hole = Int(tag) & mask
    while buckets[hole] != target {
      if buckets[hole] == 0 { return }
      hole = (hole &+ 1) & mask
    }
    count &-= 1
    var next = (hole &+ 1) & mask
    while buckets[next] != 0 {
      let home = Int(Self.tag(in: buckets[next])) & mask
      // An entry may move back to the hole unless its home lies cyclically behind the hole.
      if (next &- home) & mask >= (next &- hole) & mask {
        buckets[hole] = buckets[next]
        hole = next
      }
      next = (next &+ 1) & mask
    }
    buckets[hole] = 0
  }

  /// Gives memory back after many removals.
  ///
  /// - Complexity: O(*n*) in the buckets, if there is memory to give back.
  @usableFromInline
  mutating func shrink() {
    var size = 8
    while count * 4 > size * 3 { size *= 2 }
    if size < buckets.count { resize(to: size) }
  }

  /// Makes room for a number of slots in all: growing step by step costs more than adding.
  ///
  /// - Complexity: O(*n*) in the buckets, if there is not room enough.
  @usableFromInline
  mutating func reserve(_ capacity: Int) {
    var size = buckets.count
    while capacity * 4 > size * 3 { size *= 2 }
    if size > buckets.count { resize(to: size) }
  }

  @usableFromInline
  mutating func resize(to size: Int) {
    var old = PlainBuffer<UInt64>(repeating: 0, count: size)
    swap(&old, &buckets)
    for position in 0..<old.count where old[position] != 0 { place(old[position]) }
  }
}
