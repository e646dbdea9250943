import Foundation
import Kinship
import Testing

@testable import KinshipTrials

/// Numbers are decoded as any type: as integers exactly, as floating-point numbers rounded.
struct NumberCodingTests {
  private let coder = CompactCoder()

  /// Decodes a number as every type, and compares with Swift's exact conversion.
  private func verify<Number: FixedWidthInteger & Codable>(_ number: Number) throws {
    let (bytes, _) = try coder.encoded(number)
    let decoder = coder.makeDecoder(keys: [])
    func read<Other: Decodable & Equatable>(as exact: Other?) {
      let value = try? bytes.withUnsafeBytes { try decoder.decode(Other.self, from: $0) }
      #expect(value == exact, "\(number)")
    }
    read(as: Int(exactly: number))
    read(as: Int8(exactly: number))
    read(as: Int16(exactly: number))
    read(as: Int32(exactly: number))
    read(as: Int64(exactly: number))
    read(as: Int128(exactly: number))
    read(as: UInt(exactly: number))
    read(as: UInt8(exactly: number))
    read(as: UInt16(exactly: number))
    read(as: UInt32(exactly: number))
    read(as: UInt64(exactly: number))
    read(as: UInt128(exactly: number))
    read(as: Double(number))
    let float = Float(Double(number))
    read(as: float.isFinite ? float : nil)
  }

  @Test func `integers of all widths are decoded as they were encoded`() throws {
    for shift in 0..<127 {
      for near in -1...1 as ClosedRange<Int128> {
        let number = (Int128(1) << Int128(shift)) + near
        try verify(number)
        try verify(-number)
        try verify(UInt128(bitPattern: number))
      }
    }
    try verify(Int128.min)
    try verify(Int128.max)
    try verify(UInt128.max)
    try verify(UInt64.max)
    for number in Int16.min...Int16.max {
      #expect(try coder.roundTrip(number) == number)
    }
  }

  @Test func `floating-point numbers keep their bits`() throws {
    let numbers: [Double] = [
      0, -0.0, 1, -1, 0.5, 0.1, .pi, .infinity, -.infinity, .nan, -.nan, .signalingNaN,
      .init(bitPattern: 0x7FF8_0000_0000_1234), .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      0x1p52, 0x1p53, 0x1p63, -0x1p63, 0x1p64, 1e300, 86_400 * 365.25, 1e-7,
    ]
    for number in numbers {
      #expect(try coder.roundTrip(number).bitPattern == number.bitPattern, "\(number)")
      #expect(try coder.roundTrip([number])[0].bitPattern == number.bitPattern, "\(number)")
    }
    let floats =
      numbers.map { Float($0) } + [
        .init(bitPattern: 0x7FC0_1234), .init(bitPattern: 0x7FA0_1234), .leastNonzeroMagnitude,
      ]
    for number in floats {
      #expect(try coder.roundTrip(number).bitPattern == number.bitPattern, "\(number)")
    }
  }

  @Test func `floating-point numbers convert with rounding`() throws {
    #expect(try coder.converted(Float(0.1), to: Double.self) == Double(Float(0.1)))
    #expect(try coder.converted(0.5, to: Float.self) == 0.5)
    #expect(try coder.converted(0.1, to: Float.self) == 0.1)
    #expect(try coder.converted(Double.infinity, to: Float.self) == .infinity)
    #expect(try coder.converted(2.0, to: Int.self) == 2)
    #expect(try coder.converted(0x1p64, to: Float.self) == 0x1p64)
    #expect(try coder.converted(-0.0, to: Int.self) == 0)
    #expect(try coder.converted(1e17, to: Int.self) == 100_000_000_000_000_000)
    #expect(throws: DecodingError.self) { try coder.converted(1e300, to: Float.self) }
    #expect(throws: DecodingError.self) { try coder.converted(1e300, to: Int.self) }
    #expect(throws: DecodingError.self) { try coder.converted(Double.nan, to: Int.self) }
    #expect(throws: DecodingError.self) { try coder.converted(0.5, to: Int.self) }
    #expect(throws: DecodingError.self) { try coder.converted("1", to: Int.self) }
    #expect(throws: DecodingError.self) { try coder.converted(true, to: Int.self) }
  }

  @Test func `decimals keep their digits`() throws {
    let texts = [
      "0", "-1", "0.1", "1e100", "12345678901234567890123456789012345678", "-1e-100", "-0.00001",
    ]
    for text in texts {
      let decimal = try #require(Decimal(string: text))
      #expect(try coder.roundTrip(decimal) == decimal)
    }
    #expect(try coder.roundTrip(Decimal.nan).isNaN)
    #expect(try coder.converted(-7, to: Decimal.self) == -7)
    for text in ["", "1x", " 1", "1,5", "--1", "Infinity"] {
      #expect(throws: DecodingError.self) { try coder.converted(text, to: Decimal.self) }
    }
  }
}
