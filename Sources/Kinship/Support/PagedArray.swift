/// An array in pages: to grow moves nothing that is there, and a copy shares the pages in which
/// nothing has changed since.
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
  @inline(never)  // Once for each type of elements, not for each type of who uses it.
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

  /// Takes the last element out, which must be there.
  @discardableResult
  package mutating func removeLast() -> Element {
    let last = pages[pages.count - 1].removeLast()
    if pages.count > 1, pages[pages.count - 1].isEmpty { pages.removeLast() }
    count -= 1
    return last
  }

  /// Takes all elements out; the memory of the first page stays.
  mutating func removeAll() {
    if pages.isEmpty { return }
    pages.removeSubrange(1...)
    pages[0].removeAll(keepingCapacity: true)
    count = 0
  }

  /// Takes out the pages that lie before a position; returns how many elements these had.
  mutating func removePages(before position: Int) -> Int {
    let first = position >> Self.pageShift
    if first > 0 { pages.removeFirst(first) }
    count -= first << Self.pageShift
    return first << Self.pageShift
  }
}

extension PagedArray: Sendable where Element: Sendable {}
