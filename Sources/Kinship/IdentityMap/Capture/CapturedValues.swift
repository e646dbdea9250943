/// The values of a captured moment that have not been taken yet.
///
/// A value stays in its page until it is about to change; then it is first copied to a page of its
/// own. So capturing copies only the values that change in the meantime.
@usableFromInline
struct CapturedValues: ~Copyable {
  /// Memory for the values of one page that were copied.
  @usableFromInline
  struct SavedPage {
    @usableFromInline let base: UnsafeMutableRawPointer
    @usableFromInline let owner: Int
    /// A bit for each place that holds a value.
    @usableFromInline var occupied: UInt64
  }

  /// Whether values must be copied before they change.
  @usableFromInline var isActive = false
  /// By page: a bit for each place that needs no copy, because it was taken or copied, or held no
  /// value at the moment.
  @usableFromInline var exempt: PlainBuffer<UInt64>
  /// By page.
  @usableFromInline var savedPages: [Int: SavedPage] = [:]
  /// The pages of the moment, once the map has released all of them at once.
  @usableFromInline var detachedPages: Pages
  private let layouts: [Pages.Layout]

  init(layouts: [Pages.Layout]) {
    self.layouts = layouts
    exempt = PlainBuffer(repeating: 0, count: 0)
    detachedPages = Pages(layouts: layouts)
  }

  // Inlinable because the accessors of properties that hold this type are: they contain it.
  @inlinable
  deinit { for saved in savedPages.values { release(saved) } }

  /// Begins to keep the values of this moment.
  ///
  /// - Complexity: O(*n*) in the pages, a word each.
  mutating func begin(pageCount: Int) {
    exempt = PlainBuffer(repeating: 0, count: pageCount)
    isActive = true
  }

  /// Stops keeping values; the copies are still to be released.
  mutating func end() {
    exempt = PlainBuffer(repeating: 0, count: 0)
    isActive = false
  }

  /// Takes some of the copies that were not taken, to destroy them once the lock is released;
  /// returns the copies, or `nil` once there are no more.
  mutating func takeSavedPages(limit: Int) -> DroppedPages? {
    if detachedPages.bases.count > 1 { return detachedPages.removeAll() }
    if savedPages.isEmpty { return nil }
    var dropped: [DroppedPages.Page] = []
    while dropped.count < limit, let (page, saved) = savedPages.first {
      savedPages[page] = nil
      dropped.append(
        DroppedPages.Page(saved.base, owner: saved.owner, occupied: saved.occupied))
    }
    return DroppedPages(dropped, layouts: layouts)
  }

  /// Notes that a slot's next value is not of the moment.
  @usableFromInline
  mutating func exempt(_ slot: Slot) {
    if slot.page < exempt.count { exempt[slot.page] |= slot.bit }
  }

  /// Copies the value of a slot, unless that is exempt.
  @inlinable
  @inline(never)
  mutating func save<Element>(_ slot: Slot, _ value: UnsafePointer<Element>, owner: Int) {
    guard slot.page < exempt.count, exempt[slot.page] & slot.bit == 0 else { return }
    exempt[slot.page] |= slot.bit
    let base = savePage(slot, owner: owner).assumingMemoryBound(to: Element.self)
    (base + slot.place).initialize(to: value.pointee)
  }

  /// Moves all pages here unchanged, beside those taken already; the map starts with new ones, and
  /// new values are not part of the moment.
  mutating func detach(_ pages: inout Pages) {
    swap(&detachedPages, &pages)
    isActive = false
  }

  /// Takes the value that a slot had at the moment, so that it need not be kept any longer; returns
  /// the value, or `nil` if it was taken before.
  @inlinable
  mutating func takeValue<Element>(
    _ slot: Slot, as type: Element.Type, from pages: borrowing Pages
  ) -> Element? {
    guard slot.page < exempt.count else { return nil }
    if exempt[slot.page] & slot.bit == 0 {
      exempt[slot.page] |= slot.bit
      if isActive { return pages.pointer(to: slot, as: type).pointee }
      return detachedPages.pointer(to: slot, as: type).pointee
    }
    guard let base = takeSaved(slot) else { return nil }
    let value = (base.assumingMemoryBound(to: type) + slot.place).move()
    if savedPages[slot.page]?.occupied == 0 {
      savedPages.removeValue(forKey: slot.page)?.base.deallocate()
    }
    return value
  }

  /// The type of the value that a slot had at the moment.
  func type(of slot: Slot, in pages: borrowing Pages) -> TypeNumber {
    if exempt[slot.page] & slot.bit == 0 {
      return isActive ? pages.type(of: slot) : detachedPages.type(of: slot)
    }
    return TypeNumber(savedPages[slot.page]?.owner ?? layouts.count)
  }

  // MARK: Saved pages

  /// The memory of a saved page, in which a slot has its place from now on.
  @usableFromInline
  mutating func savePage(_ slot: Slot, owner: Int) -> UnsafeMutableRawPointer {
    var saved =
      savedPages[slot.page] ?? SavedPage(base: layouts[owner].allocate(), owner: owner, occupied: 0)
    saved.occupied |= slot.bit
    savedPages[slot.page] = saved
    return saved.base
  }

  /// The memory of a saved page, in which a slot had its place until now.
  @usableFromInline
  mutating func takeSaved(_ slot: Slot) -> UnsafeMutableRawPointer? {
    guard let saved = savedPages[slot.page], saved.occupied & slot.bit != 0 else { return nil }
    savedPages[slot.page]?.occupied &= ~slot.bit
    return saved.base
  }

  @usableFromInline
  func release(_ saved: SavedPage) {
    layouts[saved.owner].deinitialize(saved.base, saved.occupied)
    saved.base.deallocate()
  }
}
