/// Passes through JSON for what Foundation's decoder does not refuse: depth without end, and
/// repeated keys.
///
/// It does not say that the rest is as it should be. Whatever is not JSON is left to the decoder.
struct JSONScanner: ~Copyable {
  struct Container: BitwiseCopyable {
    var isObject: Bool
    /// Where the container's keys begin in the list of keys.
    var firstKey: Int
    /// Whether a key has an escape or is not ASCII, so that its bytes do not tell it from others.
    var hasOddKeys = false
  }

  struct Key: BitwiseCopyable {
    var start: Int
    var count: Int
    var hash: UInt64
  }

  private var containers = PlainBuffer(
    repeating: Container(isObject: false, firstKey: 0), count: 0)
  private var keys = PlainBuffer(repeating: Key(start: 0, count: 0, hash: 0), count: 0)

  /// The most containers that may lie in each other.
  static let depthLimit = 64

  /// Passes through a text.
  ///
  /// - Throws: `DecodingError` where containers lie too deep, or a key comes twice in an object.
  /// - Complexity: O(*n*) in the bytes; O(*k* log *k*) in the keys of a large object.
  mutating func scan(_ bytes: UnsafeRawBufferPointer) throws(DecodingError) {
    containers.shrink(to: 0)
    keys.shrink(to: 0)
    var isKeyNext = false
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index = string(in: bytes, from: index + 1, isKey: isKeyNext)
        isKeyNext = false
      case UInt8(ascii: "{"):
        try open(isObject: true)
        isKeyNext = true
      case UInt8(ascii: "["):
        try open(isObject: false)
        isKeyNext = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        try close(bytes)
        isKeyNext = false
      case UInt8(ascii: ","):
        isKeyNext = containers.count > 0 && containers[containers.count - 1].isObject
      case 0:
        // There is none in JSON, but in UTF-16 and UTF-32, which are not looked into here.
        throw corrupted("the text is not in UTF-8")
      default: break
      }
      index += 1
    }
  }

  private mutating func open(isObject: Bool) throws(DecodingError) {
    guard containers.count < Self.depthLimit else {
      throw corrupted("containers lie more than \(Self.depthLimit) deep")
    }
    containers.grow(
      to: containers.count + 1, with: Container(isObject: isObject, firstKey: keys.count))
  }

  private mutating func close(_ bytes: UnsafeRawBufferPointer) throws(DecodingError) {
    guard containers.count > 0 else { return }
    let container = containers[containers.count - 1]
    containers.shrink(to: containers.count - 1)
    guard container.firstKey < keys.count else { return }
    let own = UnsafeBufferPointer(
      start: keys.base + container.firstKey, count: keys.count - container.firstKey)
    if JSONKeys(own, of: bytes).areRepeated(areOdd: container.hasOddKeys) {
      throw corrupted("a key comes twice in an object")
    }
    keys.shrink(to: container.firstKey)
  }

  /// Passes through a string, and notes it as a key.
  ///
  /// - Returns: Where its closing quotation mark is, or the end.
  @inline(__always)
  private mutating func string(
    in bytes: UnsafeRawBufferPointer, from start: Int, isKey: Bool
  ) -> Int {
    var index = start
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var isOdd = false
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\\") {
        isOdd = true
        index += 1
      } else if byte >= 0x80 {
        isOdd = true
      }
      if isKey { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      index += 1
    }
    if isKey {
      keys.grow(
        to: keys.count + 1,
        with: Key(start: start, count: min(index, bytes.count) - start, hash: hash))
      if isOdd { containers[containers.count - 1].hasOddKeys = true }
    }
    return index
  }

  private func corrupted(_ description: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: description))
  }
}
