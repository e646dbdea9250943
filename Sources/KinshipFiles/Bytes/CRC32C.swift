/// CRC-32C, the checksum of Castagnoli's polynomial (RFC 3720, appendix B.4).
///
/// It detects every flipped bit, and every burst of up to 32 bits.
///
/// Eight tables process eight bytes at a time (Kounavis and Berry, “A Systematic Approach to
/// Building High Performance Software-based CRC Generators”, 2005).
package struct CRC32C: Sendable {
  private var state: UInt32 = .max

  package init() {}

  /// The checksum of the bytes so far.
  package var checksum: UInt32 { ~state }

  /// Adds bytes to the checksum.
  ///
  /// - Complexity: O(*n*) in the bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    state = Self.tables.withUnsafeBufferPointer { tables in
      var state = state
      var offset = 0
      while offset &+ 8 <= bytes.count {
        let word = bytes.littleEndian(UInt64.self, at: offset) ^ UInt64(state)
        state =
          tables[Int(truncatingIfNeeded: word & 0xFF) &+ 7 &* 256]
          ^ tables[Int(truncatingIfNeeded: (word &>> 8) & 0xFF) &+ 6 &* 256]
          ^ tables[Int(truncatingIfNeeded: (word &>> 16) & 0xFF) &+ 5 &* 256]
          ^ tables[Int(truncatingIfNeeded: (word &>> 24) & 0xFF) &+ 4 &* 256]
          ^ tables[Int(truncatingIfNeeded: (word &>> 32) & 0xFF) &+ 3 &* 256]
          ^ tables[Int(truncatingIfNeeded: (word &>> 40) & 0xFF) &+ 2 &* 256]
          ^ tables[Int(truncatingIfNeeded: (word &>> 48) & 0xFF) &+ 256]
          ^ tables[Int(truncatingIfNeeded: word &>> 56)]
        offset &+= 8
      }
      while offset < bytes.count {
        state = tables[Int((state ^ UInt32(bytes[offset])) & 0xFF)] ^ (state &>> 8)
        offset &+= 1
      }
      return state
    }
  }

  /// The checksum of some bytes.
  ///
  /// - Complexity: O(*n*) in the bytes.
  package static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
    var checksum = CRC32C()
    checksum.update(bytes)
    return checksum.checksum
  }

  /// The checksum of some bytes.
  ///
  /// - Complexity: O(*n*) in the bytes.
  package static func checksum(of bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { checksum(of: $0) }
  }

  /// The difference of two checksums after the same further bytes were added to both.
  ///
  /// - Complexity: O(*n*) in the bytes.
  package static func difference(_ difference: UInt32, after count: Int) -> UInt32 {
    (0..<count).reduce(difference) { difference, _ in
      tables[Int(difference & 0xFF)] ^ (difference &>> 8)
    }
  }

  /// Eight tables of 256: the effect of a byte on the checksum, by the number of bytes after it.
  private static let tables: ContiguousArray<UInt32> = {
    var tables = ContiguousArray<UInt32>(repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0x82F6_3B78 }
      tables[byte] = value
    }
    for entry in 256..<tables.count {
      let before = tables[entry - 256]
      tables[entry] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()
}
