/// An index from an id's hash to the slot of its value: open addressing with linear probing.
///
/// It holds no ids, which are in the values already: a bucket is 32 bits of the hash and a slot.
/// Growing and removing need no rehashing of ids, a lookup touches one bucket line and then the
/// value itself. Removal shifts later entries back (Knuth, TAOCP 3, 6.4, algorithm R), so that no
/// tombstones collect.
///
/// To grow, the index moves its buckets into twice as many step by step, from the end to the
/// beginning, so that no insertion waits for all of them. Meanwhile, a lookup that finds nothing
/// among the new buckets looks among the old ones. Before that, the new buckets are touched step by
/// step, because the system allocates memory a page at a time, in microseconds.
@usableFromInline
package struct SlotIndex: ~Copyable {
  @usableFromInline var buckets = ZeroedBuffer(count: ZeroedBuffer.least)
  /// The buckets that are not emptied yet, usually none.
  ///
  /// The last of them is free.
  @usableFromInline var older = ZeroedBuffer(count: 0)
  @usableFromInline var olderMask = 0
  /// The buckets that are used next, usually none, and the number of them that were touched.
  @usableFromInline var next = ZeroedBuffer(count: 0)
  @usableFromInline var touched = 0
  @usableFromInline var count = 0

  @usableFromInline
  package init() {}

  /// Consumes the index; returns its memory.
  consuming func drop() -> [any Sendable] { [buckets.drop(), older.drop(), next.drop()] }

  /// The 32 bits of an id's hash that the index keeps.
  @inlinable
  package static func tag<ID: Hashable>(of id: ID) -> UInt32 {
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
  package func find(_ tag: UInt32, where matches: (Slot) -> Bool) -> Slot? {
    let mask = self.mask
    var position = Int(tag) & mask
    while true {
      let bucket = buckets[position]
      if bucket == 0 {
        if older.count == 0 { return nil }
        return Self.find(
          tag, in: older.base, older.count, from: Int(tag) & olderMask, where: matches)
      }
      if Self.tag(in: bucket) == tag {
        let slot = Self.slot(in: bucket)
        if matches(slot) { return slot }
      }
      position = (position &+ 1) & mask
    }
  }

  /// Finds a slot among older buckets; passing the whole index would copy it in each search.
  @inlinable @inline(never)
  static func find(
    _ tag: UInt32, in buckets: UnsafeMutablePointer<UInt64>, _ count: Int, from start: Int,
    where matches: (Slot) -> Bool
  ) -> Slot? {
    var position = start
    while position < count, buckets[position] != 0 {
      if Self.tag(in: buckets[position]) == tag {
        let slot = Self.slot(in: buckets[position])
        if matches(slot) { return slot }
      }
      position &+= 1
    }
    return nil
  }

  /// Returns for each of many ids the first slot with the same hash, `Slot.none` if there is none.
  ///
  /// 1. The ids are hashed and the bucket at each one's home is read.
  /// 2. The first slot with the right hash is taken.
  ///
  /// - Complexity: O(*n*) on average.
  @inlinable
  @inline(never)  // Once for each type of ids, not for each type of values.
  func findCandidates<ID: Hashable>(
    of ids: some RandomAccessCollection<ID>, _ slots: UnsafeMutableBufferPointer<Slot>
  ) {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: slots.count) { homes in
      var number = 0
      for id in ids {
        let tag = Self.tag(of: id)
        // Until the second step, the hash is where the slot will be.
        slots[number] = Slot(tag)
        homes[number] = buckets[Int(tag) & mask]
        number &+= 1
      }
      for number in 0..<slots.count {
        let (home, tag) = (homes[number], slots[number].rawValue)
        let isAnswer = home == 0 ? older.count == 0 : Self.tag(in: home) == tag
        slots[number] = isAnswer ? Self.slot(in: home) : find(tag) { _ in true } ?? .none
      }
    }
  }

  /// Provides memory for some hashes while a closure runs, on the stack if they are few.
  ///
  /// Not inlinable: the body has both ways, so inlining it would compile the closure twice.
  @usableFromInline
  static func withTags(_ count: Int, _ body: (UnsafeMutableBufferPointer<UInt32>) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: count, body)
  }

  /// Reads the buckets at which some searches begin.
  ///
  /// These reads wait for memory together, while each search would wait for its own.
  @usableFromInline
  func readAhead(_ tags: UnsafeMutableBufferPointer<UInt32>) {
    var read: UInt64 = 0
    for tag in tags { read |= buckets[Int(tag) & mask] }
    Self.use(read)
  }

  /// Has no effect that the compiler can see, and keeps it from removing the reads before it.
  @_optimize(none)
  private static func use(_ value: UInt64) {}

  /// Passes each slot to a closure, in no particular order.
  ///
  /// - Complexity: O(*n*) in the buckets.
  @inlinable
  func forEach(_ body: (Slot) -> Void) {
    for position in 0..<buckets.count where buckets[position] != 0 {
      body(Self.slot(in: buckets[position]))
    }
    for position in 0..<older.count where older[position] != 0 {
      body(Self.slot(in: older[position]))
    }
  }

  /// Adds a slot that is not in the index yet.
  ///
  /// - Complexity: O(1), with a step towards more buckets while there are too few.
  @inlinable
  package mutating func insert(_ tag: UInt32, _ slot: Slot) {
    if older.count > 0 || (count &+ 1) &* 4 > buckets.count &* 3 { makeRoom() }
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

  /// Removes a slot that is in the index.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  package mutating func remove(_ tag: UInt32, _ slot: Slot) {
    let target = UInt64(tag) &<< 32 | UInt64(slot.rawValue)
    if Self.remove(target, from: &buckets, mask) || removeOlder(target) { count &-= 1 }
  }

  @usableFromInline
  mutating func removeOlder(_ target: UInt64) -> Bool {
    // No run of buckets reaches the last, which is free: none continues at the beginning.
    Int(Self.tag(in: target)) & olderMask < older.count
      && Self.remove(target, from: &older, olderMask)
  }

  @inlinable
  static func remove(
    _ target: UInt64, from buckets: inout ZeroedBuffer, _ mask: Int
  ) -> Bool {
    var hole = Int(tag(in: target)) & mask
    while buckets[hole] != target {
      if buckets[hole] == 0 { return false }
      hole = (hole &+ 1) & mask
    }
    var next = (hole &+ 1) & mask
    while buckets[next] != 0 {
      let home = Int(tag(in: buckets[next])) & mask
      // An entry may move back to the hole unless its home is cyclically behind the hole.
      if (next &- home) & mask >= (next &- hole) & mask {
        buckets[hole] = buckets[next]
        hole = next
      }
      next = (next &+ 1) & mask
    }
    buckets[hole] = 0
    return true
  }

  /// Frees memory after many removals, some steps at a time.
  ///
  /// - Parameter steps: The maximum number of steps.
  /// - Returns: Whether that was all.
  /// - Complexity: O(*n*) in the buckets of the steps.
  mutating func shrink(steps: Int = .max) -> Bool {
    var rest = steps
    while true {
      while older.count > 0 {
        if rest == 0 { return false }
        rest -= 1
        emptySome()
      }
      var size = 8
      while count * 4 > size * 3 { size *= 2 }
      if size >= buckets.count { return true }
      replaceBuckets(to: ZeroedBuffer(count: size))
    }
  }

  /// Removes all slots; returns memory to be freed.
  mutating func removeAll() -> DroppedMemory {
    count = 0
    older = ZeroedBuffer(count: 0)
    next = ZeroedBuffer(count: 0)
    return buckets.removeAll()
  }

  /// Reserves room for a total number of slots: growing step by step costs more than adding.
  ///
  /// - Complexity: O(*n*) in the older buckets, if there are any still.
  @usableFromInline
  mutating func reserve(_ capacity: Int) {
    var size = buckets.count
    while capacity * 4 > size * 3 { size *= 2 }
    if size > buckets.count { replaceBuckets(to: ZeroedBuffer(count: size)) }
  }

  /// The number of buckets in a step: many are inserted while a lock is held once.
  static var step: Int { 32 }

  /// Takes a step towards more buckets.
  @usableFromInline
  mutating func makeRoom() {
    if older.count > 0 {
      emptySome()
      // If the index is shrinking, the new buckets may be too few by now.
      if (count + 1) * 4 <= buckets.count * 3 { return }
      emptyOlder()
    }
    if next.count == 0 {
      next = ZeroedBuffer(count: buckets.count * 2)
      touched = 0
    }
    let end = min(touched + 2 * Self.step, next.count)
    // A page of the system's has room for 512 buckets at least.
    for position in touched..<end where position & 511 == 0 { next[position] = 0 }
    touched = end
    guard touched == next.count else { return }
    var ready = ZeroedBuffer(count: 0)
    swap(&ready, &next)
    replaceBuckets(to: ready)
  }

  /// Begins to use other buckets.
  private mutating func replaceBuckets(to others: consuming ZeroedBuffer) {
    emptyOlder()
    next = ZeroedBuffer(count: 0)
    olderMask = mask
    swap(&older, &buckets)
    buckets = others
    // A run that continues from the end at the beginning is in the way of a walk from the end.
    var position = 0
    while older[position] != 0 {
      place(older[position])
      older[position] = 0
      position += 1
    }
    emptySome()
  }

  private mutating func emptyOlder() { while older.count > 0 { emptySome() } }

  /// Empties some of the older buckets, and the rest of the run that they begin in.
  private mutating func emptySome() {
    let goal = max(older.count - Self.step, 0)
    var position = older.count
    while position > goal || (position > 0 && older[position - 1] != 0) {
      position -= 1
      if older[position] != 0 { place(older[position]) }
    }
    if position > 0 { older.shrink(to: position) } else { older = ZeroedBuffer(count: 0) }
  }
}
