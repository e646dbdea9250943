/// Reads bytes one after another, never beyond their end.
package struct ByteReader {
  /// The bytes ended, or were not what they should be.
  package struct Malformation: Error, Sendable {
    package let offset: Int
    package let cause: String
  }

  package let bytes: UnsafeRawBufferPointer
  /// How many bytes were read.
  package private(set) var offset: Int

  package init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) {
    self.bytes = bytes
    self.offset = Swift.min(Swift.max(0, offset), bytes.count)
  }

  package var isAtEnd: Bool { offset == bytes.count }
  package var remaining: Int { bytes.count - offset }

  /// The next bytes.
  package mutating func read(_ count: Int) throws(Malformation) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= remaining else { throw malformation("it ends too early") }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  /// The next integer of fixed size.
  package mutating func read<Value: FixedWidthInteger>(
    _ type: Value.Type
  ) throws(Malformation) -> Value {
    try read(MemoryLayout<Value>.size).littleEndian(type, at: 0)
  }

  /// The next integer in groups of seven bits, in its shortest form.
  package mutating func readVarint() throws(Malformation) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      guard shift < 63 || byte <= 1 else { throw malformation("an integer is too large") }
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        guard byte != 0 || shift == 0 else {
          throw malformation("an integer is longer than need be")
        }
        return value
      }
      shift += 7
    }
    throw malformation("it ends too early")
  }

  /// The next integer, if it is a count of things that each take some bytes of those that are left.
  ///
  /// So whoever makes room for as many needs no more memory than in proportion to the bytes.
  package mutating func readCount(ofAtLeast size: Int = 1) throws(Malformation) -> Int {
    let count = try readVarint()
    guard count <= UInt64(remaining / size) else { throw malformation("a count is too large") }
    return Int(count)
  }

  /// The next text.
  package mutating func readText() throws(Malformation) -> String {
    let length = try readCount()
    guard let text = String(validating: try read(length), as: UTF8.self) else {
      throw malformation("a text is not UTF-8")
    }
    return text
  }

  package func malformation(_ cause: String) -> Malformation {
    Malformation(offset: offset, cause: cause)
  }
}
