/// The recency order of all cached values: a circular doubly linked list of slots.
///
/// The links are integers in pages. Slot 0 is the sentinel: the most recently used slot follows it,
/// and the least recently used precedes it. A held slot is outside the order and is never the least
/// recently used.
@usableFromInline
struct RecencyList: ~Copyable {
  @usableFromInline
  struct Link: Sendable, BitwiseCopyable {
    @usableFromInline var previous: UInt32
    @usableFromInline var next: UInt32
    /// The hash of the value's id.
    ///
    /// An eviction has the link at hand, and so need not read the value before it looks in the
    /// index.
    @usableFromInline var tag: UInt32
    /// When the value was last loaded, inserted or changed.
    @usableFromInline var stamp: Stamp

    @inlinable
    init(previous: UInt32, next: UInt32, tag: UInt32, stamp: Stamp) {
      self.previous = previous
      self.next = next
      self.tag = tag
      self.stamp = stamp
    }

    @inlinable static var free: Link {
      Link(previous: .max - 1, next: .max - 1, tag: 0, stamp: Stamp(0))
    }

    @inlinable var isHeld: Bool { previous == .max }
  }

  @usableFromInline var links: PagedBuffer<Link>
  /// Whether links must be copied before they change.
  @usableFromInline var isCaptured = false
  var captured: [LinkReader: CapturedLinks] = [:]

  @usableFromInline
  init() {
    links = PagedBuffer(repeating: Link(previous: 0, next: 0, tag: 0, stamp: Stamp(0)), count: 1)
  }

  /// The most recently used slot, or `Slot.none`.
  @inlinable var first: Slot { Slot(links[0].next) }

  /// The least recently used slot, or `Slot.none`.
  @inlinable var last: Slot { Slot(links[0].previous) }

  @inlinable
  func isHeld(_ slot: Slot) -> Bool { links[slot.index].isHeld }

  @inlinable
  func after(_ slot: Slot) -> Slot { Slot(links[slot.index].next) }

  @inlinable
  func before(_ slot: Slot) -> Slot { Slot(links[slot.index].previous) }

  /// Makes links for slots up to a count.
  @inlinable
  mutating func grow(to count: Int) {
    links.grow(to: count, with: .free)
  }

  /// Drops the links of slots from a count on, none of which is in use; returns their memory.
  mutating func shrink(to count: Int) -> DroppedMemory { links.trim(to: count) }

  /// The hash that was given for the value of a slot.
  @inlinable
  func tag(of slot: Slot) -> UInt32 { links[slot.index].tag }

  /// When the value of a slot was last loaded, inserted or changed.
  @inlinable
  func stamp(of slot: Slot) -> Stamp { links[slot.index].stamp }

  /// Notes the hash and the stamp of a slot's new value; it is held until it is put into the order.
  @inlinable
  mutating func add(_ slot: Slot, tag: UInt32, stamp: Stamp) {
    if isCaptured { saveLinks(around: slot) }
    links[slot.index] = Link(previous: .max, next: .max, tag: tag, stamp: stamp)
  }

  /// Notes that the value of a slot has changed.
  @inlinable
  mutating func renew(_ slot: Slot, _ stamp: Stamp) {
    if isCaptured { saveLinks(around: slot) }
    links[slot.index].stamp = stamp
  }

  /// Puts a slot that is not in the order at its recent end.
  @inlinable
  mutating func insertFirst(_ slot: Slot) {
    if isCaptured { saveLinks(around: slot) }
    linkFirst(slot)
  }

  /// Puts a slot that is not in the order at its least recently used end.
  @inlinable
  mutating func insertLast(_ slot: Slot) {
    if isCaptured { saveLinks(around: slot) }
    let previous = links[0].previous
    links[slot.index].previous = previous
    links[slot.index].next = 0
    links[Int(previous)].next = slot.rawValue
    links[0].previous = slot.rawValue
  }

  /// Makes a slot the most recently used; a held one stays held.
  @inlinable
  mutating func touch(_ slot: Slot) {
    let link = links[slot.index]
    if link.previous == 0 || link.isHeld { return }
    if isCaptured { saveLinks(around: slot) }
    links[Int(link.previous)].next = link.next
    links[Int(link.next)].previous = link.previous
    linkFirst(slot)
  }

  @inlinable
  mutating func linkFirst(_ slot: Slot) {
    let next = links[0].next
    links[slot.index].previous = 0
    links[slot.index].next = next
    links[Int(next)].previous = slot.rawValue
    links[0].next = slot.rawValue
  }

  /// Makes slots the most recently used, one after another; `Slot.none` is skipped.
  ///
  /// The links around them are read first, so that all of them wait for distant memory at the same
  /// time: otherwise, a store to each would wait for the store before it.
  @inlinable
  mutating func touch(_ slots: UnsafeMutableBufferPointer<Slot>) {
    var disagreement: UInt32 = 0
    for slot in slots {
      let link = links[slot.index]
      if link.previous >= .max - 1 { continue }
      disagreement |= links[Int(link.previous)].next ^ slot.rawValue
      disagreement |= links[Int(link.next)].previous ^ slot.rawValue
    }
    precondition(disagreement == 0, "the order of use is broken")
    for slot in slots where slot != .none { touch(slot) }
  }

  /// Removes a slot from the order and marks it as held.
  @inlinable
  mutating func hold(_ slot: Slot) {
    if isCaptured { saveLinks(around: slot) }
    unlink(slot)
    links[slot.index].previous = .max
    links[slot.index].next = .max
  }

  /// Removes a slot, held or not, from the list.
  @inlinable
  mutating func remove(_ slot: Slot) {
    if isCaptured { saveLinks(around: slot) }
    unlink(slot)
    links[slot.index] = .free
  }

  /// Joins the neighbours of a slot, if it is in the order.
  @inlinable
  mutating func unlink(_ slot: Slot) {
    let link = links[slot.index]
    if link.previous >= .max - 1 { return }
    links[Int(link.previous)].next = link.next
    links[Int(link.next)].previous = link.previous
  }
}
