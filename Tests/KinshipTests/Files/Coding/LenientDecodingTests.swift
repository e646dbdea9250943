import Foundation
import Kinship
import KinshipTesting
import Testing

@testable import KinshipTrials

/// A value that is encoded as one type and decoded as another gives the result of JSON.
struct LenientDecodingTests {
  private typealias Scalar = Codable & Equatable & Sendable

  private static func values(_ random: inout SplitMix64) throws -> [any Scalar] {
    let integer = Int64.random(in: .min ... .max, using: &random) >> (random.next() & 63)
    let small = Double(Int.random(in: -10_000...10_000, using: &random)) / 100
    return [
      integer, UInt8(truncatingIfNeeded: integer), Int16(truncatingIfNeeded: integer),
      UInt64(bitPattern: integer), Int128(integer) * 3, small, Double(integer >> 11),
      small * 1e15, -0.0, Float(Int16(truncatingIfNeeded: integer)) / 4, Decimal(integer),
      Decimal(integer) / 1_000, Decimal(sign: .plus, exponent: 20, significand: 7),
      UUID(), try #require(URL(string: "https://example.org/\(integer)?a=b#c")),
      Data((0..<random.next() % 40).map { UInt8(truncatingIfNeeded: $0 &* 7) }),
      Date(timeIntervalSinceReferenceDate: small), "text", "", "AQID", "\(small)",
      UUID().uuidString, integer > 0,
    ]
  }

  @Test func `each type decodes the others' values as it does from JSON`() throws {
    var random = SplitMix64(seed: 4)
    for _ in 0..<20 {
      for value in try Self.values(&random) { try verify(value) }
    }
  }

  private func verify(_ value: some Scalar) throws {
    try verify(value, as: Int.self)
    try verify(value, as: Int8.self)
    try verify(value, as: UInt64.self)
    try verify(value, as: Int128.self)
    try verify(value, as: Double.self)
    try verify(value, as: Float.self)
    try verify(value, as: Bool.self)
    try verify(value, as: String.self)
    try verify(value, as: Decimal.self)
    try verify(value, as: UUID.self)
    try verify(value, as: URL.self)
    try verify(value, as: Data.self)
    try verify(value, as: Date.self)
    try verify(value, as: [String].self)
    try verify(value, as: [String: Int].self)
  }

  private func verify<Reader: Scalar>(_ value: some Scalar, as type: Reader.Type) throws {
    // Files of earlier versions have decimal numbers as strings.
    if value is String, type == Decimal.self { return }
    let json = try? JSONCoder.json.converted([value], to: [Reader].self)
    #expect((try? CompactCoder.compact.converted([value], to: [Reader].self)) == json, "\(value)")
  }

  /// Encoded as by the compiler, decoded from any form.
  private struct Link: Codable, Equatable {
    var url: URL?
    var price: Decimal?

    init(url: URL?, price: Decimal?) {
      self.url = url
      self.price = price
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      url = (try? container.decode(String.self, forKey: .url)).flatMap { URL(string: $0) }
      price = (try? container.decode(Double.self, forKey: .price)).map { Decimal($0) }
    }
  }

  @Test func `a record that decodes leniently keeps its values in either form`() throws {
    let link = Link(url: URL(string: "https://example.org/a"), price: 2.5)
    #expect(try CompactCoder.compact.roundTrip(link) == link)
    #expect(try JSONCoder.json.roundTrip(link) == link)
  }

  @Test func `a relative URL keeps its base in the compact form`() throws {
    let base = try #require(URL(string: "https://example.org/a/"))
    let url = try #require(URL(string: "../b?c", relativeTo: base))
    #expect(try CompactCoder.compact.roundTrip([url, base]) == [url, base])
  }
}
