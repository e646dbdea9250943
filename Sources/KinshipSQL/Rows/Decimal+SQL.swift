#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
internal import Kinship

extension Decimal {
  /// Returns the stored form: the digits, or an equal number if the column would convert them.
  package func stored(in kind: ColumnKind) -> SQLValue {
    let digits = description
    guard case .number(let isReal) = kind, let number = SQLValue(exactly: digits) else {
      return .text(digits)
    }
    if isReal, case .integer = number {
      return Double(digits).flatMap { Decimal(digitsOf: $0) == self ? .real($0) : nil }
        ?? .text(digits)
    }
    return number
  }

  /// Creates a number from a text; `nil` if it is not a number, or has too many digits.
  package init?(exactly text: String) {
    if text == Decimal.nan.description {
      self = .nan
      return
    }
    // Foundation parses a number at the beginning of a text and ignores the rest.
    guard text.looksNumeric, let decimal = Decimal(string: text) else { return nil }
    let hasExponent = text.contains { $0 == "e" || $0 == "E" }
    guard hasExponent || Self.significant(text) == Self.significant(decimal.description) else {
      return nil
    }
    self = decimal
  }

  /// Returns the digits of a number from the first to the last that is not zero.
  private static func significant(_ text: String) -> Substring {
    let digits = text.filter { "0"..."9" ~= $0 }.drop { $0 == "0" }
    let end = digits.lastIndex { $0 != "0" }.map { digits.index(after: $0) }
    return digits[..<(end ?? digits.startIndex)]
  }
}

extension SQLValue {
  /// Creates an integer, or else a floating-point number, with exactly the digits of a text.
  package init?(exactly digits: String) {
    if let integer = Int64(digits), String(integer) == digits {
      self = .integer(integer)
    } else if let number = Double(digits), number.isFinite, let decimal = Decimal(exactly: digits),
      Decimal(digitsOf: number) == decimal
    {
      self = .real(number)
    } else {
      return nil
    }
  }
}

extension String {
  /// Whether a database would convert the text to a number.
  package var looksNumeric: Bool {
    utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    } && Double(self) != nil
  }
}
