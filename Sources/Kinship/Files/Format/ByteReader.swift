/// Reads the bytes of a file in order, never beyond their end.
///
/// If they are invalid, it throws `KinshipError.file(.damaged)` with the offset in the file.
@usableFromInline
package struct ByteReader {
  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline let path: String
  @usableFromInline let base: Int
  /// The number of bytes read so far.
  @usableFromInline package internal(set) var offset = 0

  /// Creates a reader of bytes that are in a file from the offset `base` on.
  @inlinable
  package init(_ bytes: UnsafeRawBufferPointer, of path: String, at base: Int) {
    self.bytes = bytes
    self.path = path
    self.base = base
  }

  /// The offset of the next byte in the file.
  @inlinable
  package var position: Int { base + offset }
  @inlinable
  package var isAtEnd: Bool { offset == bytes.count }
  @inlinable
  package var remaining: Int { bytes.count - offset }

  /// The next bytes.
  @inlinable
  package mutating func read(_ count: Int) throws(KinshipError) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= remaining else { throw damage("it ends too early") }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  /// The next integer of fixed size.
  @inlinable
  package mutating func read<Value: FixedWidthInteger>(
    _ type: Value.Type
  ) throws(KinshipError) -> Value {
    try read(MemoryLayout<Value>.size).littleEndian(type, at: 0)
  }

  /// The next integer in groups of seven bits, in its shortest form.
  @inlinable
  package mutating func readVarint() throws(KinshipError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      guard shift < 63 || byte <= 1 else { throw damage("an integer is too large") }
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        guard byte != 0 || shift == 0 else {
          throw damage("an integer is longer than necessary")
        }
        return value
      }
      shift += 7
    }
    throw damage("it ends too early")
  }

  /// The next identifying number: less than 2⁴⁸.
  @inlinable
  package mutating func readNumber() throws(KinshipError) -> Int {
    let value = try readVarint()
    guard value < 1 << 48 else { throw damage("a number is too large") }
    return Int(value)
  }

  /// The next integer, if it is a count of items that each take at least one of the remaining
  /// bytes.
  ///
  /// So the memory that a caller reserves for them is at most in proportion to the bytes.
  @inlinable
  package mutating func readCount(ofAtLeast size: Int = 1) throws(KinshipError) -> Int {
    let count = try readVarint()
    guard count <= UInt64(remaining / size) else { throw damage("a count is too large") }
    return Int(count)
  }

  /// The next text.
  @inlinable
  package mutating func readText() throws(KinshipError) -> String {
    let length = try readCount()
    guard let text = String(validating: try read(length), as: UTF8.self) else {
      throw damage("a text is not UTF-8")
    }
    return text
  }

  /// The next texts, after their number.
  @inlinable
  package mutating func readTexts() throws(KinshipError) -> [String] {
    var texts: [String] = []
    for _ in 0..<(try readCount()) { texts.append(try readText()) }
    return texts
  }

  /// Skips the remaining bytes.
  @inlinable
  package mutating func skipRest() { offset = bytes.count }

  /// Checks that all bytes were read.
  @inlinable
  package func finish() throws(KinshipError) {
    guard isAtEnd else { throw damage("there are more bytes than it declares") }
  }

  /// The error for invalid bytes before the current offset.
  @usableFromInline
  package func damage(_ cause: String) -> KinshipError {
    .damage(to: path, at: position, cause)
  }

  /// The bytes from an offset up to the current one.
  @inlinable
  package func bytes(from start: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
  }
}

extension [UInt8] {
  /// Calls a closure with a reader of these bytes, which are in a file at an offset.
  package func read<Result>(
    of path: String, at offset: Int = 0,
    _ body: (inout ByteReader) throws(KinshipError) -> Result
  ) throws(KinshipError) -> Result {
    try span.bytes.withUnsafeBytes { bytes throws(KinshipError) in
      var reader = ByteReader(bytes, of: path, at: offset)
      return try body(&reader)
    }
  }
}
