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
/// memory is the C library's, which makes a block larger without a copy where it can.
@usableFromInline
struct PlainBuffer<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  @usableFromInline var count: Int
  @usableFromInline var capacity: Int
  /// Whether the memory is pages of the system's own.
  @usableFromInline var isMapped = false

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
  deinit { Self.release(base, isMapped ? capacity : 0) }

  /// Gives memory back, where it is mapped that of a number of elements.
  @usableFromInline
  static func release(_ base: UnsafeMutablePointer<Element>, _ mapped: Int) {
    if mapped > 0 {
      munmap(base, mapped * MemoryLayout<Element>.stride)
    } else {
      free(base)
    }
  }

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
    precondition(!isMapped, "zeros that are mapped do not grow")
    capacity = max(newCapacity, 4)
    base = Self.memory(realloc(base, capacity * MemoryLayout<Element>.stride))
  }
}

extension PlainBuffer<UInt64> {
  /// Makes a buffer of zeros, which takes the same time however many they are: the system maps
  /// pages of zeros when they are first come to.
  @usableFromInline
  init(zeros count: Int) {
    self.count = count
    capacity = max(count, 4)
    let size = capacity * MemoryLayout<Element>.stride
    let pages =
      size < Self.mappedSize
      ? MAP_FAILED : mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    isMapped = pages != MAP_FAILED
    base = Self.memory(isMapped ? pages : calloc(capacity, MemoryLayout<Element>.stride))
  }

  /// From how many bytes on zeros are pages of the system's own.
  private static var mappedSize: Int { 1 << 18 }

  /// Forgets the elements from a count on, and gives pages back that are mapped.
  mutating func release(from newCount: Int) {
    shrink(to: newCount)
    // The system's pages have 64 KB at most.
    let kept = (newCount + 8191) / 8192 * 8192
    if isMapped, kept > 0, kept < capacity {
      munmap(base + kept, (capacity - kept) * MemoryLayout<Element>.stride)
      capacity = kept
    }
  }
}
