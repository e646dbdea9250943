/// Growable memory for integers and the like, in pages: growing moves no existing element.
///
/// A `PlainBuffer` that grows to twice its size copies all of it at that moment, which takes
/// milliseconds with millions of elements. Here only the first page grows in that way.
@usableFromInline
struct PagedBuffer<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var pages: PlainBuffer<UnsafeMutablePointer<Element>>
  @usableFromInline var count: Int
  /// The number of elements for which there is memory.
  @usableFromInline var capacity: Int

  @inlinable static var pageShift: Int { 12 }
  @inlinable static var pageSize: Int { 1 &<< pageShift }

  /// Makes a buffer of equal elements.
  @inlinable
  init(repeating element: Element, count: Int) {
    capacity = min(max(count, 4), Self.pageSize)
    pages = PlainBuffer(repeating: .allocate(capacity: capacity), count: 1)
    self.count = 0
    grow(to: count, with: element)
  }

  // Inlinable because the accessors of properties that hold this type are: they contain it.
  @inlinable
  deinit { for page in 0..<pages.count { pages[page].deallocate() } }

  @inlinable
  subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < count)
      return pages.base[index &>> Self.pageShift][index & (Self.pageSize &- 1)]
    }
    set {
      assert(index >= 0 && index < count)
      pages.base[index &>> Self.pageShift][index & (Self.pageSize &- 1)] = newValue
    }
  }

  /// Grows to a count with equal elements.
  ///
  /// - Complexity: O(1) an element.
  @inlinable
  mutating func grow(to newCount: Int, with element: Element) {
    guard newCount > count else { return }
    if newCount > capacity { reserve(newCount) }
    let start = count
    count = newCount
    for index in start..<newCount { self[index] = element }
  }

  /// Drops the elements from a count on; keeps the memory.
  mutating func shrink(to newCount: Int) { count = min(count, newCount) }

  /// Drops the elements from a count on, and makes the first page as small as possible; returns the
  /// memory of the other emptied pages.
  mutating func trim(to newCount: Int) -> DroppedMemory {
    let dropped = dropPages(to: newCount)
    if pages.count == 1, capacity > 2 * max(count, 4) { resizeFirstPage(to: max(count, 4)) }
    return dropped
  }

  /// Reserves memory for more elements.
  @usableFromInline
  mutating func reserve(_ newCount: Int) {
    if capacity < Self.pageSize {
      resizeFirstPage(to: min(max(newCount, capacity * 2), Self.pageSize))
    }
    while capacity < newCount {
      pages.grow(to: pages.count + 1, with: .allocate(capacity: Self.pageSize))
      capacity += Self.pageSize
    }
  }

  private mutating func resizeFirstPage(to newCapacity: Int) {
    let resized = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
    resized.moveInitialize(from: pages[0], count: min(count, newCapacity))
    pages[0].deallocate()
    pages[0] = resized
    capacity = newCapacity
  }
}
