/// A value in the bytes that are decoded: one line of their table of contents.
///
/// The tokens of all values lie in the order of the bytes, so those in a container follow its own.
struct CompactToken: BitwiseCopyable {
  /// Where the value begins.
  var offset: UInt32
  /// The code of its key in a keyed container; or where the key's text lies, with ``textBit``.
  var key: UInt32
  /// The number of the token after this value.
  var next: UInt32
  /// How many elements are in an unkeyed container; in a keyed one, the token that is asked for next if
  /// values are read as they were written.
  var extra: UInt32

  static let textBit: UInt32 = 1 << 31
  /// The key of an element, and of an entry after which the same key comes again.
  static let noKey = UInt32.max
}
