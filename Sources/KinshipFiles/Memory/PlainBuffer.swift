/// Growable memory for integers and the like: an array without reference counts and without checks
/// in release builds.
///
/// Each lookup and each move in the recency order uses it, and would pay for both.
@usableFromInline
package struct PlainBuffer<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline package var base: UnsafeMutablePointer<Element>
  @usableFromInline package var count: Int
  @usableFromInline package var capacity: Int

  /// Makes a buffer of equal elements.
  @inlinable
  package init(repeating element: Element, count: Int) {
    capacity = max(count, 4)
    base = .allocate(capacity: capacity)
    base.initialize(repeating: element, count: count)
    self.count = count
  }

  // Inlinable because the accessors of properties that hold this type are: they contain it.
  @inlinable
  deinit { base.deallocate() }

  @inlinable
  package subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < count)
      return base[index]
    }
    set {
      assert(index >= 0 && index < count)
      base[index] = newValue
    }
  }

  /// Grows to a count with equal elements.
  ///
  /// - Complexity: O(1) an element, amortised.
  @inlinable
  package mutating func grow(to newCount: Int, with element: Element) {
    guard newCount > count else { return }
    if newCount > capacity { reallocate(max(newCount, capacity * 2)) }
    (base + count).initialize(repeating: element, count: newCount - count)
    count = newCount
  }

  /// Drops the elements from a count on; keeps the memory.
  @inlinable
  package mutating func shrink(to newCount: Int) { count = min(count, newCount) }

  /// Drops the elements from a count on, and frees the memory.
  @inlinable
  package mutating func trim(to newCount: Int) {
    shrink(to: newCount)
    if capacity > 2 * max(count, 4) { reallocate(max(count, 4)) }
  }

  @inlinable
  package mutating func reallocate(_ newCapacity: Int) {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity = newCapacity
  }
}
