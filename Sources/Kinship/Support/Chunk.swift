/// Divides long work: a lock is held for one chunk at a time, so that `peek` never waits for long.
@usableFromInline
package enum Chunk {
  /// The number of records, ids or claims in a chunk: enough to make the lock cheap, few enough to
  /// hold it briefly.
  ///
  /// All other sizes derive from it. A build that looks for misused memory makes it small, so that
  /// even the few records of a random operation take several chunks.
  @inlinable
  package static var size: Int {
    #if KINSHIP_SMALL_CHUNKS
      3
    #else
      512
    #endif
  }

  /// The number of items of cheap work, or of work without a lock.
  package static var large: Int { size * 2 }
  /// The number of records to write, evict or request.
  @inlinable static var medium: Int { max(3, size / 2) }
  /// The number of items of some microseconds each, in code that is not specialised for them.
  static var small: Int { max(3, size / 4) }
  /// The number of records to read in passes, whose notes fit on the stack.
  @inlinable static var tiny: Int { max(3, size / 8) }
  /// The number of pages of 64 slots.
  static var pages: Int { max(1, size / 32) }
  /// The number of bytes of a file.
  package static var bytes: Int { size << 11 }

  /// The ranges of the chunks of `count` items, from `start` on.
  @inlinable
  package static func ranges(_ count: Int, from start: Int = 0, of size: Int = size) -> Ranges {
    Ranges(start: start, end: count, size: size)
  }

  /// Consecutive ranges, all but the last of one size.
  @usableFromInline
  package struct Ranges: Sequence, IteratorProtocol, Sendable {
    @usableFromInline var start: Int
    @usableFromInline let end: Int
    @usableFromInline let size: Int

    @inlinable
    init(start: Int, end: Int, size: Int) {
      self.start = start
      self.end = end
      self.size = size
    }

    @inlinable
    package mutating func next() -> Range<Int>? {
      if start >= end { return nil }
      let range = start..<Swift.min(start + size, end)
      start = range.upperBound
      return range
    }
  }
}
