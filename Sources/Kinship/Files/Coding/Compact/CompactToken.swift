/// A value in the bytes that are decoded: one line of their table of contents.
///
/// The tokens of all values lie in the order of the bytes, so those in a container follow its own.
struct CompactToken: BitwiseCopyable {
  /// Where the value begins.
  var offset: UInt32
  /// The token of the container that the value is in.
  var parent: UInt32
  /// In an array, the position; in an object, the code of the key, or with ``textBit`` where its
  /// text lies if it has no code.
  var key: UInt32
  /// The number of the token after this value.
  var next: UInt32
  /// How many elements are in an array; in an object, the token that is asked for next if values
  /// are read as they were written.
  var extra: UInt32 = 0

  static let textBit: UInt32 = 1 << 31
  /// The key of an entry after which the same key comes again.
  static let hiddenKey = UInt32.max
}
