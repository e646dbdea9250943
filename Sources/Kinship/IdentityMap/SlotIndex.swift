/// From an id's hash to the slot of its value: open addressing with linear probing.
///
/// It holds no ids, which are in the values already: a bucket is 32 bits of the hash and a slot.
/// Growing and removing need no rehashing of ids, a lookup touches one bucket line and then the
/// value itself. Removal shifts later entries back (Knuth, TAOCP 3, 6.4, algorithm R), so that no
/// tombstones collect.
///
/// It grows in place and step by step: an entry's home among twice as many is where it was, or as
/// much later as there were homes, so some homes after the others are split (Litwin's linear
/// hashing, 1980). Probing goes on after the last home instead of beginning again at the first,
/// and the last bucket of all is empty.
@usableFromInline
struct SlotIndex: ~Copyable {
  /// The homes, and those after them that what has no room at the last homes lies in.
  @usableFromInline var buckets: PagedBuffer<UInt64>
  /// How many buckets are homes.
  @usableFromInline var homes: Int
  /// A power of two less one: those of a hash's bits that are its home, unless this is not one yet.
  @usableFromInline var mask: Int
  @usableFromInline var count: Int
  /// From which count on another entry has the index grow.
  @usableFromInline var limit: Int

  @usableFromInline
  init() { self.init(homes: 8) }

  private init(homes: Int) {
    buckets = PagedBuffer(repeating: 0, count: homes + 1)
    self.homes = homes
    mask = homes - 1
    count = 0
    limit = homes * 3 / 4
  }

  /// The 32 bits of an id's hash that the index keeps.
  @inlinable
  static func tag<ID: Hashable>(of id: ID) -> UInt32 {
    UInt32(truncatingIfNeeded: id.hashValue)
  }

  @inlinable
  static func slot(in bucket: UInt64) -> Slot { Slot(UInt32(truncatingIfNeeded: bucket)) }

  @inlinable
  static func tag(in bucket: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: bucket &>> 32) }

  /// The position of the bucket in which the search for a tag begins.
  @inlinable
  func home(of tag: UInt32) -> Int {
    let home = Int(tag) & mask
    return home < homes ? home : home & (mask &>> 1)
  }

  /// The slot with the tag for which `matches` is true.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  func find(_ tag: UInt32, where matches: (Slot) -> Bool) -> Slot? {
    var position = home(of: tag)
    while true {
      let bucket = buckets[position]
      if bucket == 0 { return nil }
      if Self.tag(in: bucket) == tag {
        let slot = Self.slot(in: bucket)
        if matches(slot) { return slot }
      }
      position &+= 1
    }
  }

  /// Adds a slot that is not in the index yet.
  ///
  /// - Complexity: O(1) on average: some hundred entries move at most.
  @inlinable
  mutating func insert(_ tag: UInt32, _ slot: Slot) {
    if count >= limit { split() }
    count &+= 1
    place(UInt64(tag) &<< 32 | UInt64(slot.rawValue))
  }

  @inlinable
  mutating func place(_ bucket: UInt64) {
    var position = home(of: Self.tag(in: bucket))
    while buckets[position] != 0 { position &+= 1 }
    buckets[position] = bucket
    if position &+ 1 == buckets.count { buckets.grow(to: position &+ 2, with: 0) }
  }

  /// Takes out a slot that is in the index.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  mutating func remove(_ tag: UInt32, _ slot: Slot) {
    let target = UInt64(tag) &<< 32 | UInt64(slot.rawValue)
    var hole = home(of: tag)
    while buckets[hole] != target {
      if buckets[hole] == 0 { return }
      hole &+= 1
    }
    count &-= 1
    var next = hole &+ 1
    while buckets[next] != 0 {
      // An entry may move back to the hole unless its home lies behind that.
      if home(of: Self.tag(in: buckets[next])) <= hole {
        buckets[hole] = buckets[next]
        hole = next
      }
      next &+= 1
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
    if size >= homes { return }
    var old = SlotIndex(homes: size)
    swap(&old, &self)
    count = old.count
    for position in 0..<old.buckets.count where old.buckets[position] != 0 {
      place(old.buckets[position])
    }
  }

  /// How many homes are split at a time, but for the last ones.
  private static var step: Int { 512 }

  /// Makes some more homes, until there are twice as many: with each entry that is added.
  @usableFromInline
  mutating func split() {
    if homes > mask { mask = mask &<< 1 | 1 }
    let half = (mask &+ 1) &>> 1
    var position = homes &- half
    let end = min(half, position &+ Self.step)
    homes = half &+ end
    limit = homes > mask ? homes / 4 * 3 : 0
    buckets.grow(to: homes &+ 1, with: 0)
    // Up to a gap: what lies before it may have found no room at one of these homes.
    while position < end || buckets[position] != 0 {
      let bucket = buckets[position]
      if bucket != 0, home(of: Self.tag(in: bucket)) != position {
        buckets[position] = 0
        place(bucket)
      }
      position &+= 1
    }
  }
}
