/// A container in the bytes whose end is not reached.
struct OpenContainer: BitwiseCopyable {
  var token: Int
  var end: Int
  var isKeyed: Bool
  /// How many values are in it so far.
  var count: UInt32 = 0
  /// The codes so far, by some of their bits; and whether one has come again, perhaps.
  var seen: UInt64 = 0
  var mayRepeat = false

  /// Takes note of a key.
  @inline(__always)
  mutating func note(_ key: UInt32) {
    let bit: UInt64 = 1 << UInt64(key & 63)
    if seen & bit != 0 || key & CompactToken.textBit != 0 { mayRepeat = true }
    seen |= bit
  }
}
