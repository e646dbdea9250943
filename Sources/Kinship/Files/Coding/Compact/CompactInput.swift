/// The bytes of one record, and the tokens in them.
struct CompactInput: ~Copyable {
  var tokens = PlainBuffer(
    repeating: CompactToken(offset: 0, parent: 0, key: 0, next: 0), count: 0)
  /// The containers whose end is not reached, while tokens are being found.
  var open = PlainBuffer(
    repeating: OpenContainer(token: 0, end: 0, isKeyed: false), count: 0)
  var base: UnsafeRawPointer
  var count = 0
  /// Which record this is: what belongs to an earlier one must not be read any more.
  var serial: UInt32 = 0
  /// Whether keys are spelled out among the bytes.
  var hasTexts = false

  /// How many bytes a value takes, by its tag: looked up for every value.
  private var sizes = PlainBuffer<UInt8>(repeating: 0, count: 0)

  init() {
    base = UnsafeRawPointer(tokens.base)
    CompactTag.sizes.withUnsafeBytes { sizes.append($0) }
  }

  @inline(__always)
  func size(_ tag: UInt8) -> Int { Int(sizes[Int(tag)]) }
}
