extension [UInt8] {
  /// Appends an integer, its lowest byte first.
  @inlinable
  package mutating func append(littleEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends an integer in groups of seven bits, the lowest first; the high bit says that more
  /// follow (LEB128).
  @inlinable
  package mutating func append(varint value: UInt64) {
    var rest = value
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a count or a length.
  @inlinable
  package mutating func append(varint value: Int) { append(varint: UInt64(Swift.max(0, value))) }

  /// Appends a text: the number of its bytes, and its UTF-8.
  @inlinable
  package mutating func append(text: String) {
    append(varint: text.utf8.count)
    append(contentsOf: text.utf8)
  }

  /// Appends texts: their number, and each of them.
  @inlinable
  package mutating func append(texts: [String]) {
    append(varint: texts.count)
    for text in texts { append(text: text) }
  }
}

extension Int64 {
  /// The number as an unsigned one, which is small if this one is near zero.
  @inlinable
  package var zigzag: UInt64 { UInt64(bitPattern: (self << 1) ^ (self >> 63)) }

  /// Reverses ``zigzag``.
  @inlinable
  package init(zigzag value: UInt64) {
    self = Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}

extension UnsafeRawBufferPointer {
  /// Reads the integer at an offset, which must be within the bytes.
  @inlinable
  package func littleEndian<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int) -> Value {
    Value(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }
}
