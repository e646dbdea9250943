/// The payload of a frame, with checksums repaired where they can be found.
///
/// It is read as the documentation of the files specifies. After a part that makes no sense,
/// checksums stay as they are.
struct Payload {
  private struct EndOfSense: Error {}

  private(set) var bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Repairs the checksums of a snapshot's records.
  mutating func proveRecords() {
    do throws(EndOfSense) {
      for _ in 0..<2 { _ = try readVarint() }
      try skipTexts()
      _ = try readVarint()
      try prove(from: 0)
      while offset < bytes.count {
        let start = offset
        if try readVarint() & 1 == 1 { _ = try readVarint() }
        try skipText()
        try prove(from: start)
      }
    } catch { return }
  }

  /// Repairs the checksums of a commit's entries.
  mutating func proveEntries() {
    do throws(EndOfSense) {
      for _ in 0..<3 { _ = try readVarint() }
      try skipTexts()
      _ = try readVarint()
      for _ in 0..<(try readVarint()) {
        _ = try readVarint()
        try skipText()
        _ = try readVarint()
        try skipTexts()
      }
      _ = try readVarint()
      while offset < bytes.count {
        let start = offset
        let isPut = try readByte() == 1
        _ = try readVarint()
        if try readByte() == 0 { _ = try readVarint() } else { try skipText() }
        guard isPut else { continue }
        try skipText()
        try prove(from: start)
      }
    } catch { return }
  }

  private mutating func readByte() throws(EndOfSense) -> UInt8 {
    guard offset < bytes.count else { throw EndOfSense() }
    defer { offset += 1 }
    return bytes[offset]
  }

  private mutating func readVarint() throws(EndOfSense) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let byte = try readByte()
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw EndOfSense()
  }

  private mutating func skipText() throws(EndOfSense) {
    let length = try readVarint()
    guard length <= UInt64(bytes.count - offset) else { throw EndOfSense() }
    offset += Int(length)
  }

  private mutating func skipTexts() throws(EndOfSense) {
    for _ in 0..<(try readVarint()) { try skipText() }
  }

  /// Sets the next four bytes to the checksum of those before.
  private mutating func prove(from start: Int) throws(EndOfSense) {
    guard offset + 4 <= bytes.count else { throw EndOfSense() }
    var checksum: [UInt8] = []
    checksum.append(littleEndian: CRC32C.checksum(of: bytes[start..<offset]))
    bytes.replaceSubrange(offset..<offset + 4, with: checksum)
    offset += 4
  }
}
