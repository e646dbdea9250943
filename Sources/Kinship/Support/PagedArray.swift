/// An array in pages: growing moves no existing element, and a copy shares the unchanged pages.
@usableFromInline
package struct PagedArray<Element> {
  @usableFromInline package var pages: ContiguousArray<ContiguousArray<Element>> = []
  @usableFromInline package var count = 0

  @inlinable static var pageShift: Int { 9 }
  @inlinable static var pageSize: Int { 1 &<< pageShift }

  @inlinable
  package init() {}

  @inlinable
  package subscript(index: Int) -> Element {
    get { pages[index &>> Self.pageShift][index & (Self.pageSize &- 1)] }
    _modify { yield &pages[index &>> Self.pageShift][index & (Self.pageSize &- 1)] }
  }

  /// - Complexity: O(1) on average: no more than a page is copied.
  @inlinable
  package mutating func append(_ element: Element) {
    if count & (Self.pageSize &- 1) == 0 { addPage() }
    pages[pages.count &- 1].append(element)
    count &+= 1
  }

  /// Puts an element at a position, which may be the one after the last.
  @inlinable
  @inline(never)  // Once for each type of elements, not for each type of its users.
  mutating func put(_ element: Element, at position: Int) {
    if position == count { append(element) } else { self[position] = element }
  }

  @usableFromInline
  mutating func addPage() {
    // The first one may have stayed.
    if pages.count << Self.pageShift > count { return }
    pages.append([])
    // The first page is that of many arrays that stay small.
    if count > 0 { pages[pages.count - 1].reserveCapacity(Self.pageSize) }
  }

  /// Removes the last element, which must exist.
  @discardableResult
  package mutating func removeLast() -> Element {
    let last = pages[pages.count - 1].removeLast()
    if pages.count > 1, pages[pages.count - 1].isEmpty { pages.removeLast() }
    count -= 1
    return last
  }

  /// Removes all elements; keeps the memory of the first page.
  mutating func removeAll() {
    if pages.isEmpty { return }
    pages.removeSubrange(1...)
    pages[0].removeAll(keepingCapacity: true)
    count = 0
  }

  /// Removes the pages before a position; returns the number of their elements.
  mutating func removePages(before position: Int) -> Int {
    let first = position >> Self.pageShift
    if first > 0 { pages.removeFirst(first) }
    count -= first << Self.pageShift
    return first << Self.pageShift
  }
}

extension PagedArray: Sendable where Element: Sendable {}
