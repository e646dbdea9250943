import Foundation
import Kinship
import Testing

@testable import KinshipTrials

/// The bytes of the compact form, as documented.
struct CompactFormTests {
  private func bytes(_ value: some Encodable) throws -> [UInt8] {
    try CompactCoder().encoded(value).bytes
  }

  @Test func `integers have their documented compact bytes`() throws {
    #expect(try bytes(0) == [0x00])
    #expect(try bytes(63 as UInt8) == [0x3F])
    #expect(try bytes(64) == [0x40, 0x40])
    #expect(try bytes(8_191) == [0x5F, 0xFF])
    #expect(try bytes(8_192) == [0x60, 0x00, 0x20])
    #expect(try bytes(1_048_575) == [0x6F, 0xFF, 0xFF])
    #expect(try bytes(1_048_576) == [0x72, 0x00, 0x00, 0x10])
    #expect(try bytes(UInt64.max) == [0x77] + Array(repeating: 0xFF, count: 8))
    #expect(try bytes(-1) == [0x78, 0x00])
    #expect(try bytes(-257) == [0x79, 0x00, 0x01])
    #expect(try bytes(Int128.max) == [0xC8] + Array(repeating: 0xFF, count: 15) + [0x7F])
    #expect(try bytes(Int128.min) == [0xC9] + Array(repeating: 0xFF, count: 15) + [0x7F])
    #expect(try bytes(Int128(5)) == [0x05])
  }

  @Test func `floats, dates and decimals have their documented compact bytes`() throws {
    #expect(try bytes(2.0) == [0x02])
    #expect(try bytes(-2.0 as Float) == [0x78, 0x01])
    #expect(try bytes(0.5) == [0xC4, 0x00, 0x00, 0x00, 0x3F])
    #expect(try bytes(-0.0) == [0xC4, 0x00, 0x00, 0x00, 0x80])
    #expect(try bytes(0.1) == [0xC5, 0x9A, 0x99, 0x99, 0x99, 0x99, 0x99, 0xB9, 0x3F])
    #expect(try bytes(Date(timeIntervalSinceReferenceDate: 64)) == [0x40, 0x40])
    #expect(try bytes(Decimal(1) / 4) == [0xCC, 4] + Array("0.25".utf8))
  }

  @Test func `nil, Booleans, text, data and containers have documented bytes`() throws {
    #expect(try bytes(Int?.none) == [0xC1])
    #expect(try bytes([false, true]) == [0xCB, 2, 0xC2, 0xC3])
    #expect(try bytes("") == [0x80])
    #expect(try bytes("Ä") == [0x82, 0xC3, 0x84])
    let long = String(repeating: "x", count: 200)
    #expect(try bytes(long) == [0xC0, 0xC8, 0x01] + Array(long.utf8))
    #expect(try bytes(Data([1, 2])) == [0xC6, 2, 1, 2])
    #expect(try bytes(#require(URL(string: "a:b"))) == [0x83] + Array("a:b".utf8))
    #expect(
      try bytes(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
        == [0xC7] + Array(0..<16))
    #expect(try bytes([[1], []]) == [0xCB, 5, 0xCB, 1, 1, 0xCB, 0])
    #expect(
      try bytes(CodingShapes.Pair(left: 5, right: 6)) == [0xCA, 4, 1, 5, 2, 6])
    #expect(
      try bytes([Int](repeating: 1, count: 128)) == [0xCB, 0x80, 0x01]
        + Array(repeating: 1, count: 128))
  }

  /// The decoder accepts forms that newer or other encoders may write.
  @Test func `the decoder accepts longer forms than the encoder writes`() throws {
    let coder = CompactCoder()
    #expect(try coder.decoded(Int8.self, from: [0x77, 5, 0, 0, 0, 0, 0, 0, 0]) == 5)
    #expect(try coder.decoded(UInt8.self, from: [0xC8, 5] + Array(repeating: 0, count: 15)) == 5)
    #expect(try coder.decoded(String.self, from: [0xC0, 0x81, 0x00, 0x41]) == "A")
    #expect(try coder.decoded(Float.self, from: [0xC5] + Array(repeating: 0, count: 8)) == 0)
    #expect(try coder.decoded(Decimal.self, from: [0x84] + Array("0.25".utf8)) == Decimal(1) / 4)
    #expect(
      try coder.decoded(
        URL.self, from: [0xCA, 5, 1, 0x83] + Array("a:b".utf8), keys: ["relative"])
        == URL(string: "a:b"))
    let spelled: [UInt8] = [0xCA, 13, 0, 4] + Array("left".utf8) + [7, 1, 8, 1, 9, 2, 6]
    #expect(
      try coder.decoded(
        CodingShapes.Pair.self, from: spelled,
        keys: ["x", "right", "y", "z", "a", "b", "c", "d"]) == .init(left: 7, right: 6))
  }
}
