extension PlainBuffer<UInt8> {
  /// Reserves room for some more bytes, so that they can be appended without checking again.
  @inline(__always)
  mutating func reserve(_ additional: Int) {
    if capacity - count < additional { reallocate(Swift.max(count + additional, capacity * 2)) }
  }

  /// Appends a byte, for which there is room.
  @inline(__always)
  mutating func appendReserved(_ byte: UInt8) {
    base[count] = byte
    count += 1
  }

  /// Appends the lowest bytes of an integer, the lowest first; there must be room for all of it.
  @inline(__always)
  mutating func appendReserved<Word: FixedWidthInteger>(_ word: Word, count bytes: Int) {
    UnsafeMutableRawPointer(base + count)
      .storeBytes(of: word.littleEndian, as: Word.self)
    count += bytes
  }

  /// Appends bytes.
  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    UnsafeMutableRawPointer(base + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  /// Appends an integer in groups of seven bits, the lowest first.
  @inline(__always)
  mutating func appendVarint(_ value: Int) {
    reserve(10)
    var rest = UInt(bitPattern: value)
    while rest >= 0x80 {
      appendReserved(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    appendReserved(UInt8(truncatingIfNeeded: rest))
  }

  /// Moves the bytes from a position on, to make a gap there.
  mutating func insertGap(_ length: Int, at position: Int) {
    reserve(length)
    let start = UnsafeMutableRawPointer(base + position)
    (start + length).copyMemory(from: start, byteCount: count - position)
    count += length
  }
}
