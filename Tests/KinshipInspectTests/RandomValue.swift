import Foundation
import Kinship
import KinshipTestSupport

@testable import kinship_inspect

extension FieldValue {
  /// Texts with a meaning in the formats that contain them.
  static let oddTexts = [
    "", " ", "1", "-0", "1.5", "true", "null", "[1]", "{\"a\":1}", "inf", "a,b", "\"", "\"\u{301}x",
    "line\nline", "line\r\nline", "\r", "\t\u{0}\u{1F}", "é", "e\u{301}", "👑", "\\u0041", "~1/~0",
    "/\u{301}", "*", "\u{FEFF}x", "\u{2028}",
  ]

  /// A value as a file may contain it.
  ///
  /// A plain one is valid in JSON too.
  static func random(
    depth: Int = 2, plain: Bool = false, using generator: inout SplitMix64
  ) -> FieldValue {
    switch Int.random(in: 0..<(depth > 0 ? 11 : 8), using: &generator) {
    case 0: return .null
    case 1: return .bool(generator.chance(0.5))
    case 2: return .integer(integers.randomElement(using: &generator) ?? 0)
    case 3: return .number(numbers.randomElement(using: &generator) ?? 0.5)
    case 4 where !plain:
      return .number([.infinity, -.infinity, .nan].randomElement(using: &generator) ?? .nan)
    case 5 where !plain: return .uuid(uuid(using: &generator))
    case 6 where !plain:
      return .data(Data((0..<Int.random(in: 0...5, using: &generator)).map { UInt8($0 * 60) }))
    case 8:
      let (count, isUniform) = (
        Int.random(in: 0...4, using: &generator), generator.chance(0.3)
      )
      if isUniform, !plain {
        return .list((0..<count).map { _ in .uuid(uuid(using: &generator)) })
      }
      return .list(
        (0..<count).map { _ in random(depth: depth - 1, plain: plain, using: &generator) })
    case 9, 10: return .fields(fields(depth: depth - 1, plain: plain, using: &generator))
    default: return .text(oddTexts.randomElement(using: &generator) ?? "")
    }
  }

  static func fields(
    depth: Int, plain: Bool, using generator: inout SplitMix64
  ) -> RecordFields {
    var fields = RecordFields()
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      let name = (generator.chance(0.5) ? ["a", "b", "name"] : oddTexts)
        .randomElement(using: &generator)
      fields[name ?? ""] = random(depth: depth, plain: plain, using: &generator)
    }
    return fields
  }

  private static let integers: [Int128] = [
    0, 1, -1, 42, Int128(Int64.max), Int128(Int64.min), Int128(UInt64.max), .max, .min,
  ]
  private static let numbers = [
    0.5, -0.0, 1e20, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, -2.25,
    Double(Float(0.1)), 1e-7,
  ]

  private static func uuid(using generator: inout SplitMix64) -> UUID {
    let digit = Int.random(in: 0...9, using: &generator)
    return UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5\(digit)") ?? UUID()
  }
}
