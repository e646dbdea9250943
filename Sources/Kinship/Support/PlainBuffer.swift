#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Growable memory for integers and the like: an array without reference counts and without checks
/// in release builds.
///
/// It lies under each lookup and each move in the order of use, where both would be paid for. Its
/// memory is the C library's, which moves large blocks to larger ones without a copy where the
/// system can (`mremap`), and has zeros at hand that nobody needs to write.
@usableFromInline
struct PlainBuffer<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  @usableFromInline var count: Int
  @usableFromInline var capacity: Int

  /// Makes a buffer of equal elements.
  @inlinable
  init(repeating element: Element, count: Int) {
    self.init(capacity: count)
    base.initialize(repeating: element, count: count)
    self.count = count
  }

  @usableFromInline
  init(capacity: Int) {
    self.capacity = max(capacity, 4)
    base = Self.memory(realloc(nil, self.capacity * MemoryLayout<Element>.stride))
    count = 0
  }

  // Inlinable because the accessors of properties that hold this type are: they contain it.
  @inlinable
  deinit { Self.release(base) }

  @usableFromInline
  static func release(_ base: UnsafeMutablePointer<Element>) { free(base) }

  /// Memory that the C library has given.
  static func memory(_ given: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Element> {
    guard let given else { fatalError("out of memory") }
    return given.assumingMemoryBound(to: Element.self)
  }

  @inlinable
  subscript(index: Int) -> Element {
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
  mutating func grow(to newCount: Int, with element: Element) {
    guard newCount > count else { return }
    if newCount > capacity { reallocate(max(newCount, capacity * 2)) }
    (base + count).initialize(repeating: element, count: newCount - count)
    count = newCount
  }

  /// Forgets the elements from a count on; the memory stays.
  mutating func shrink(to newCount: Int) { count = min(count, newCount) }

  /// Forgets the elements from a count on, and gives the memory back.
  mutating func trim(to newCount: Int) {
    shrink(to: newCount)
    if capacity > 2 * max(count, 4) { reallocate(count) }
  }

  @usableFromInline
  mutating func reallocate(_ newCapacity: Int) {
    capacity = max(newCapacity, 4)
    base = Self.memory(realloc(base, capacity * MemoryLayout<Element>.stride))
  }
}

extension PlainBuffer<UInt64> {
  /// Makes a buffer of zeros, which takes no time however many they are.
  @usableFromInline
  init(zeros count: Int) {
    capacity = max(count, 4)
    base = Self.memory(calloc(capacity, MemoryLayout<Element>.stride))
    self.count = count
  }
}
