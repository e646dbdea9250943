#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Memory for integers that are zero at first, without checks in release builds.
///
/// If there are many, it uses the system's own pages, which are zero without a write: creating it
/// takes no longer for millions than for hundreds.
@usableFromInline
struct ZeroedBuffer: ~Copyable {
  @usableFromInline let base: UnsafeMutablePointer<UInt64>
  @usableFromInline var count: Int
  /// The number of integers in the system's own pages; 0 if the memory is none of them.
  @usableFromInline var mapped: Int

  @usableFromInline
  init(count: Int) {
    self.count = count
    let size = count * MemoryLayout<UInt64>.stride
    if size >= Self.mappedSize,
      let pages = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
      pages != MAP_FAILED
    {
      base = pages.assumingMemoryBound(to: UInt64.self)
      mapped = count
    } else {
      base = .allocate(capacity: count)
      base.initialize(repeating: 0, count: count)
      mapped = 0
    }
  }

  // Inlinable because the accessors of properties that hold this type are: they contain it.
  @inlinable
  deinit { Self.release(base, mapped) }

  @usableFromInline
  static func release(_ base: UnsafeMutablePointer<UInt64>, _ mapped: Int) {
    if mapped > 0 {
      munmap(base, mapped * MemoryLayout<UInt64>.stride)
    } else {
      base.deallocate()
    }
  }

  @inlinable
  subscript(index: Int) -> UInt64 {
    get {
      assert(index >= 0 && index < count)
      return base[index]
    }
    set {
      assert(index >= 0 && index < count)
      base[index] = newValue
    }
  }

  /// Drops the integers from a count on, and frees pages of the system.
  mutating func shrink(to newCount: Int) {
    count = newCount
    // The system's pages have 64 KB at most.
    let kept = (newCount + 8191) / 8192 * 8192
    if kept > 0, kept < mapped {
      munmap(base + kept, (mapped - kept) * MemoryLayout<UInt64>.stride)
      mapped = kept
    }
  }

  /// Drops all integers except for a few, which are zero again; returns the memory of the others.
  mutating func removeAll() -> DroppedMemory {
    var all = ZeroedBuffer(count: Self.least)
    swap(&all, &self)
    return all.drop()
  }

  /// Consumes the buffer; returns its memory.
  consuming func drop() -> DroppedMemory {
    let dropped = DroppedMemory([UInt(bitPattern: base)], mapped: mapped)
    discard self
    return dropped
  }

  /// The minimum number of integers.
  @inlinable static var least: Int { 8 }

  /// The size in bytes from which the memory is the system's own pages.
  private static var mappedSize: Int { 1 << 18 }
}
