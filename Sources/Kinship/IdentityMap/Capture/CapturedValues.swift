/// The values of a captured moment that nobody has taken yet.
///
/// A value stays in its page until it is about to change; then it is copied to a shelf first. So
/// capturing copies nothing but what is changed meanwhile.
@usableFromInline
struct CapturedValues: ~Copyable {
  /// Memory for the values of one page that were copied.
  @usableFromInline
  struct Shelf {
    @usableFromInline let base: UnsafeMutableRawPointer
    @usableFromInline let owner: Int
    /// A bit for each place that holds a value.
    @usableFromInline var occupied: UInt64
  }

  /// Whether values must be copied before they change.
  @usableFromInline var isActive = false
  /// By page: a bit for each place that needs no copy, for it was taken or copied, or has held no value
  /// of the moment.
  @usableFromInline var settled: PlainBuffer<UInt64>
  /// By page.
  @usableFromInline var shelves: [Int: Shelf] = [:]
  private let layouts: [Pages.Layout]

  init(layouts: [Pages.Layout]) {
    self.layouts = layouts
    settled = PlainBuffer(repeating: 0, count: 0)
  }

  // Inlinable because the accessors of properties that hold this type are: they contain it.
  @inlinable
  deinit { for shelf in shelves.values { release(shelf) } }

  /// Begins to keep the values of this moment.
  ///
  /// - Complexity: O(*n*) in the pages, a word each.
  mutating func begin(pageCount: Int) {
    settled = PlainBuffer(repeating: 0, count: pageCount)
    isActive = true
  }

  /// Ends keeping values; what was copied is still to be released.
  mutating func end() {
    settled = PlainBuffer(repeating: 0, count: 0)
    isActive = false
  }

  /// Takes some of what was copied and not taken, to be destroyed once the lock is released.
  ///
  /// - Returns: The copies; nothing once all are gone.
  mutating func takeShelves(limit: Int) -> DroppedPages? {
    if shelves.isEmpty { return nil }
    var dropped: [DroppedPages.Page] = []
    while dropped.count < limit, let (page, shelf) = shelves.first {
      shelves[page] = nil
      dropped.append(
        DroppedPages.Page(shelf.base, owner: shelf.owner, occupied: shelf.occupied))
    }
    return DroppedPages(dropped, layouts: layouts)
  }

  /// Notes that the value which a slot is about to get is not of the moment.
  @usableFromInline
  mutating func settle(_ slot: Slot) {
    if slot.page < settled.count { settled[slot.page] |= slot.bit }
  }

  /// Copies the value of a slot, unless that is settled.
  @inlinable
  @inline(never)
  mutating func save<Element>(_ slot: Slot, _ value: UnsafePointer<Element>, owner: Int) {
    guard slot.page < settled.count, settled[slot.page] & slot.bit == 0 else { return }
    settled[slot.page] |= slot.bit
    let base = shelve(slot, owner: owner).assumingMemoryBound(to: Element.self)
    (base + slot.place).initialize(to: value.pointee)
  }

  /// Takes the value that a slot had at the moment, which then need not be kept any longer.
  ///
  /// - Returns: The value; nothing if it was taken before.
  @inlinable
  mutating func take<Element>(
    _ slot: Slot, as type: Element.Type, from pages: borrowing Pages
  ) -> Element? {
    guard slot.page < settled.count else { return nil }
    if settled[slot.page] & slot.bit == 0 {
      settled[slot.page] |= slot.bit
      return pages.pointer(to: slot, as: type).pointee
    }
    guard let base = unshelve(slot) else { return nil }
    let value = (base.assumingMemoryBound(to: type) + slot.place).move()
    if shelves[slot.page]?.occupied == 0 {
      shelves.removeValue(forKey: slot.page)?.base.deallocate()
    }
    return value
  }

  /// The type of the value that a slot had at the moment.
  func type(of slot: Slot, in pages: borrowing Pages) -> TypeNumber {
    if settled[slot.page] & slot.bit == 0 { return pages.type(of: slot) }
    return TypeNumber(shelves[slot.page]?.owner ?? layouts.count)
  }

  // MARK: Shelves

  /// The memory of a page's shelf, in which a slot has its place from now on.
  @usableFromInline
  mutating func shelve(_ slot: Slot, owner: Int) -> UnsafeMutableRawPointer {
    var shelf =
      shelves[slot.page] ?? Shelf(base: layouts[owner].allocate(), owner: owner, occupied: 0)
    shelf.occupied |= slot.bit
    shelves[slot.page] = shelf
    return shelf.base
  }

  /// The memory of a page's shelf, in which a slot had its place until now.
  @usableFromInline
  mutating func unshelve(_ slot: Slot) -> UnsafeMutableRawPointer? {
    guard let shelf = shelves[slot.page], shelf.occupied & slot.bit != 0 else { return nil }
    shelves[slot.page]?.occupied &= ~slot.bit
    return shelf.base
  }

  @usableFromInline
  func release(_ shelf: Shelf) {
    layouts[shelf.owner].deinitialize(shelf.base, shelf.occupied)
    shelf.base.deallocate()
  }
}
