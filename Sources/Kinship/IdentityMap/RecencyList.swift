/// The order of use of all cached values: a circular doubly linked list of slots.
///
/// The links are integers in one array. Slot 0 is the sentinel: after it comes the most
/// recently used slot, before it the least. A held slot stands outside the order and is never the
/// least recently used.
@usableFromInline
struct RecencyList: ~Copyable {
  @usableFromInline
  struct Link: BitwiseCopyable {
    @usableFromInline var previous: UInt32
    @usableFromInline var next: UInt32
    /// The hash of the value's id.
    ///
    /// Whoever evicts a slot has its link at hand, and so need not go to
    /// the value before it can go to the index.
    @usableFromInline var tag: UInt32

    @inlinable
    init(previous: UInt32, next: UInt32, tag: UInt32) {
      self.previous = previous
      self.next = next
      self.tag = tag
    }

    @inlinable static var free: Link { Link(previous: .max - 1, next: .max - 1, tag: 0) }
  }

  @usableFromInline var links: PlainBuffer<Link>

  @usableFromInline
  init() { links = PlainBuffer(repeating: Link(previous: 0, next: 0, tag: 0), count: 1) }

  /// The most recently used slot, or `Slot.none`.
  @inlinable var first: Slot { Slot(links[0].next) }

  /// The least recently used slot, or `Slot.none`.
  @inlinable var last: Slot { Slot(links[0].previous) }

  @inlinable
  func isHeld(_ slot: Slot) -> Bool { links[slot.index].previous == .max }

  @inlinable
  func after(_ slot: Slot) -> Slot { Slot(links[slot.index].next) }

  @inlinable
  func before(_ slot: Slot) -> Slot { Slot(links[slot.index].previous) }

  /// Makes links for slots up to a count.
  @inlinable
  mutating func grow(to count: Int) {
    links.grow(to: count, with: .free)
  }

  /// The hash that was given for the value of a slot.
  @inlinable
  func tag(of slot: Slot) -> UInt32 { links[slot.index].tag }

  /// Notes the hash of the value that a slot gets; it is held until it is put into the order.
  @inlinable
  mutating func add(_ slot: Slot, tag: UInt32) {
    links[slot.index] = Link(previous: .max, next: .max, tag: tag)
  }

  /// Puts a slot that is not in the order at its recent end.
  @inlinable
  mutating func insertFirst(_ slot: Slot) {
    let next = links[0].next
    links[slot.index].previous = 0
    links[slot.index].next = next
    links[Int(next)].previous = slot.rawValue
    links[0].next = slot.rawValue
  }

  /// Makes a slot the most recently used; a held one stays held.
  @inlinable
  mutating func touch(_ slot: Slot) {
    let link = links[slot.index]
    if link.previous == 0 || link.previous == .max { return }
    links[Int(link.previous)].next = link.next
    links[Int(link.next)].previous = link.previous
    insertFirst(slot)
  }

  /// Makes slots the most recently used, one after another; `Slot.none` is passed over.
  ///
  /// The links around them are read first, so that memory that is far away is waited for by all of
  /// them at the same time: a store to each would wait for the store before it.
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

  /// Takes a slot out of the order and marks it as held.
  @inlinable
  mutating func hold(_ slot: Slot) {
    unlink(slot)
    links[slot.index].previous = .max
    links[slot.index].next = .max
  }

  /// Takes a slot, held or not, out of the list.
  @inlinable
  mutating func remove(_ slot: Slot) {
    unlink(slot)
    links[slot.index] = .free
  }

  @inlinable
  mutating func unlink(_ slot: Slot) {
    let link = links[slot.index]
    if link.previous >= .max - 1 { return }
    links[Int(link.previous)].next = link.next
    links[Int(link.next)].previous = link.previous
  }
}
