/// Typed memory in pages of 64 values each.
///
/// A page belongs to one type for as long as it is in use. Values never move, growth copies
/// nothing, and an empty page is freed.
@usableFromInline
struct Pages: ~Copyable {
  /// The description of a page's type.
  @usableFromInline
  struct Layout: Sendable {
    @usableFromInline let stride: Int
    @usableFromInline let alignment: Int
    /// Ends the lifetime of the values at the set places of a page.
    @usableFromInline let deinitialize: @Sendable (UnsafeMutableRawPointer, UInt64) -> Void

    /// Allocates memory for the values of a page.
    func allocate() -> UnsafeMutableRawPointer {
      .allocate(byteCount: max(1, stride * 64), alignment: max(16, alignment))
    }

    @inlinable
    init<Element>(of type: Element.Type) {
      stride = MemoryLayout<Element>.stride
      alignment = MemoryLayout<Element>.alignment
      deinitialize = { base, occupied in
        let values = base.assumingMemoryBound(to: Element.self)
        occupied.forEachPlace { (values + $0).deinitialize(count: 1) }
      }
    }
  }

  @usableFromInline
  struct Header: BitwiseCopyable {
    /// A bit for each place that holds a value.
    @usableFromInline var occupied: UInt64
    @usableFromInline var owner: UInt32
    /// The position of the page in its owner's list of pages with room, or -1.
    @usableFromInline var openPosition: Int32

    @inlinable
    init(owner: Int) {
      occupied = 0
      self.owner = UInt32(truncatingIfNeeded: owner)
      openPosition = -1
    }
  }

  @usableFromInline let layouts: [Layout]
  /// The memory of each page; apart from the headers because every read goes through it.
  @usableFromInline var bases: PlainBuffer<UnsafeMutableRawPointer?>
  @usableFromInline var headers: PlainBuffer<Header>
  /// By owner: the pages with room, most recently freed last.
  @usableFromInline var open: ContiguousArray<ContiguousArray<UInt32>>
  /// The numbers of freed pages.
  @usableFromInline var vacant: ContiguousArray<UInt32>

  init(layouts: [Layout]) {
    self.layouts = layouts
    // Page 0 is never used: its first slot means "none".
    bases = PlainBuffer(repeating: nil, count: 1)
    headers = PlainBuffer(repeating: Header(owner: layouts.count), count: 1)
    open = ContiguousArray(repeating: [], count: layouts.count)
    vacant = []
  }

  // Inlinable because the accessors of properties that hold this type are: they contain it.
  @inlinable
  deinit {
    for page in 0..<bases.count {
      guard let base = bases[page] else { continue }
      layouts[Int(headers[page].owner)].deinitialize(base, headers[page].occupied)
      base.deallocate()
    }
  }

  /// One more than the highest slot in use or ever used.
  @inlinable var slotCount: Int { bases.count &* 64 }

  @inlinable
  func type(of slot: Slot) -> TypeNumber { TypeNumber(Int(headers[slot.page].owner)) }

  @inlinable
  func isOccupied(_ slot: Slot) -> Bool {
    headers[slot.page].occupied & slot.bit != 0
  }

  /// Returns the memory of an allocated slot, which must belong to a page of the given type.
  ///
  /// To write, use `IdentityMap.mutablePointer(to:as:)`.
  @inlinable
  func pointer<Element>(to slot: Slot, as type: Element.Type) -> UnsafePointer<Element> {
    // An allocated slot's page has memory; checking it again would cost every read.
    UnsafePointer(
      bases[slot.page].unsafelyUnwrapped.assumingMemoryBound(to: Element.self) + slot.place)
  }

  /// Takes a free slot in a page of the owner; its memory is not initialised yet.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  mutating func allocate(owner: Int) -> Slot {
    if open[owner].isEmpty { addPage(owner: owner) }
    let last = open[owner].count &- 1
    let page = Int(open[owner][last])
    let place = (~headers[page].occupied).trailingZeroBitCount
    headers[page].occupied |= 1 &<< UInt64(place)
    if headers[page].occupied == .max {
      open[owner].removeLast()
      headers[page].openPosition = -1
    }
    return Slot(UInt32(truncatingIfNeeded: page &* 64 &+ place))
  }

  /// Frees a slot; its memory must have been deinitialised.
  ///
  /// - Complexity: O(1).
  @inlinable
  mutating func free(_ slot: Slot) {
    let page = slot.page
    headers[page].occupied &= ~slot.bit
    let owner = Int(headers[page].owner)
    if headers[page].openPosition < 0 {
      headers[page].openPosition = Int32(truncatingIfNeeded: open[owner].count)
      open[owner].append(UInt32(truncatingIfNeeded: page))
    }
    // One page with room stays, so that a cache that evicts one and inserts one allocates nothing.
    if headers[page].occupied == 0, open[owner].count > 1 { releasePage(page) }
  }

  /// Frees empty pages, and the numbers after those in use.
  ///
  /// - Complexity: O(*n*) in the pages ever used.
  mutating func shrink() {
    for owner in open.indices {
      for page in open[owner] where headers[Int(page)].occupied == 0 { releasePage(Int(page)) }
      open[owner] = ContiguousArray(open[owner].map(\.self))
    }
    var count = bases.count
    while count > 1, bases[count - 1] == nil { count -= 1 }
    bases.trim(to: count)
    headers.trim(to: count)
    vacant = vacant.filter { $0 < count }
  }

  @usableFromInline
  mutating func addPage(owner: Int) {
    let base = layouts[owner].allocate()
    let number: Int
    if let reused = vacant.popLast() {
      number = Int(reused)
      bases[number] = base
      headers[number] = Header(owner: owner)
    } else {
      number = bases.count
      precondition(
        number < 1 << 26 - 1,
        "A cache cannot hold more than four thousand million records of a type.")
      bases.grow(to: number + 1, with: base)
      headers.grow(to: number + 1, with: Header(owner: owner))
    }
    headers[number].openPosition = Int32(open[owner].count)
    open[owner].append(UInt32(number))
  }

  @usableFromInline
  mutating func releasePage(_ page: Int) {
    let owner = Int(headers[page].owner)
    let position = Int(headers[page].openPosition)
    let moved = open[owner].removeLast()
    if position < open[owner].count {
      open[owner][position] = moved
      headers[Int(moved)].openPosition = Int32(position)
    }
    bases[page]?.deallocate()
    bases[page] = nil
    headers[page] = Header(owner: layouts.count)
    vacant.append(UInt32(page))
  }

  /// Returns a property of the value in a slot: read at its offset, or by key path if it has none.
  func property<Element, Value>(
    _ keyPath: KeyPath<Element, Value>, at offset: Int, of slot: Slot
  ) -> Value {
    let element = pointer(to: slot, as: Element.self)
    if offset < 0 { return element.pointee[keyPath: keyPath] }
    return (UnsafeRawPointer(element) + offset).assumingMemoryBound(to: Value.self).pointee
  }
}

/// A value in place in memory, which cannot be copied.
@usableFromInline
struct HeldValue<Element: Cacheable>: ~Copyable {
  @usableFromInline let element: Element
}

extension UnsafePointer where Pointee: Cacheable {
  /// The id of the value; `pointee.id` would copy the whole value in unspecialised code.
  @inlinable var id: Pointee.ID {
    UnsafeRawPointer(self).assumingMemoryBound(to: HeldValue<Pointee>.self).pointee.element.id
  }
}
