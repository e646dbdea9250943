/// What is done in one hold of a lock, where there is much to do.
package enum Chunk {
  /// How many records, ids or claims: so many that the lock costs little, so few that nobody waits
  /// for long.
  package static var size: Int {
    // Random operations are small: for them, what is done in chunks must be done in several.
    #if KINSHIP_SMALL_PORTIONS
      3
    #else
      512
    #endif
  }

  /// How many of which each takes some microseconds: in code that is not specialised for them.
  static var small: Int { max(3, size / 4) }

  /// The chunks of a number of things.
  static func ranges(_ count: Int, of size: Int = size) -> some Sequence<Range<Int>> {
    stride(from: 0, to: count, by: size).lazy.map { $0..<min($0 + size, count) }
  }
}
