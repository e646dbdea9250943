import Kinship
import KinshipTestSupport
import Testing

struct CRC32CTests {
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    Array(bytes).withUnsafeBytes { CRC32C.checksum(of: $0) }
  }

  /// Bit by bit, as the polynomial defines it.
  static func definition(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82F6_3B78 }
    }
    return ~crc
  }

  @Test func `known checksums are correct`() {
    #expect(Self.checksum([]) == 0)
    #expect(Self.checksum("123456789".utf8) == 0xE306_9283)
    // From RFC 3720.
    #expect(Self.checksum(repeatElement(0, count: 32)) == 0x8A91_36AA)
    #expect(Self.checksum(repeatElement(255, count: 32)) == 0x62A8_AB43)
    #expect(Self.checksum(0..<32) == 0x46DD_794E)
    #expect(Self.checksum((0..<32).reversed()) == 0x113F_DB5C)
  }

  @Test func `every length and split gives the same checksum`() {
    var generator = SplitMix64(seed: 1)
    let bytes = (0..<100).map { _ in UInt8.random(in: 0...255, using: &generator) }
    for count in 0...bytes.count {
      let part = Array(bytes.prefix(count))
      let expected = Self.definition(part)
      part.withUnsafeBytes { all in
        #expect(CRC32C.checksum(of: all) == expected)
        for cut in 0...count {
          var checksum = CRC32C()
          checksum.update(UnsafeRawBufferPointer(rebasing: all[..<cut]))
          checksum.update(UnsafeRawBufferPointer(rebasing: all[cut...]))
          #expect(checksum.checksum == expected)
        }
      }
    }
  }
}
