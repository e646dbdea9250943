import Foundation
import KinshipTestSupport

/// Any value that can be encoded, decoded without knowledge of its kind.
///
/// Whole numbers are ``integer``, because they are decoded so.
indirect enum CodedTree: Hashable {
  case null
  case bool(Bool)
  case integer(Int128)
  case number(Double)
  case text(String)
  case list([CodedTree])
  case object([String: CodedTree])
}

extension CodedTree: Encodable {
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object(let entries):
      var container = encoder.container(keyedBy: TreeKey.self)
      for (name, value) in entries { try container.encode(value, forKey: TreeKey(name)) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      default: try container.encodeNil()
      }
    }
  }
}

extension CodedTree: Decodable {
  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: TreeKey.self) {
      self = .object(
        try container.allKeys.reduce(into: [:]) {
          $0[$1.stringValue] = try container.decode(CodedTree.self, forKey: $1)
        })
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [CodedTree] = []
      while !container.isAtEnd { elements.append(try container.decode(CodedTree.self)) }
      self = .list(elements)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Int128.self) {
        self = .integer(value)
      } else if let value = try? container.decode(Double.self) {
        self = Int128(exactly: value).map(CodedTree.integer) ?? .number(value)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }
}

extension CodedTree {
  /// A tree with a maximum depth of containers.
  static func random(depth: Int, using generator: inout SplitMix64) -> CodedTree {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
    case 0: .null
    case 1: .bool(.random(using: &generator))
    case 2:
      .integer(
        Int128(Int64.random(in: .min ... .max, using: &generator))
          >> Int128.random(in: 0..<64, using: &generator))
    case 3: .integer(.random(in: .min ... .max, using: &generator))
    case 4: .number(number(using: &generator))
    case 5: .text(text(using: &generator))
    case 6, 7:
      .list(
        (0..<Int.random(in: 0..<8, using: &generator)).map { _ in
          random(depth: depth - 1, using: &generator)
        })
    default:
      .object(
        (0..<Int.random(in: 0..<8, using: &generator)).reduce(into: [:]) { entries, _ in
          entries[text(using: &generator)] = random(depth: depth - 1, using: &generator)
        })
    }
  }

  /// A number with a fraction.
  private static func number(using generator: inout SplitMix64) -> Double {
    let number = Double(bitPattern: .random(in: 0 ... .max, using: &generator))
    return number.isFinite && number.rounded() != number ? number : 0.5
  }

  private static func text(using generator: inout SplitMix64) -> String {
    let letters: [Character] = ["a", "b", "Ä", "é", "👩‍👩‍👧", "\"", "\\", "\u{0}", "\n"]
    let count = generator.chance(0.1) ? 200 : Int.random(in: 0..<6, using: &generator)
    return String((0..<count).map { _ in letters[Int.random(in: 0..<9, using: &generator)] })
  }
}

/// A key of any name.
struct TreeKey: CodingKey, Hashable {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
