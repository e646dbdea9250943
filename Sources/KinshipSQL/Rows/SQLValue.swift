#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
package import Kinship

/// A value as databases store it, of one of five kinds.
public enum SQLValue: Hashable, Sendable {
  /// The absence of a value.
  case null
  /// A 64-bit integer.
  case integer(Int64)
  /// A floating-point number, never NaN.
  case real(Double)
  /// A text in UTF-8, which may contain NUL.
  case text(String)
  /// Bytes.
  case blob([UInt8])

  /// Returns whether two values are stored with the same bits.
  package static func areSame(_ left: SQLValue?, _ right: SQLValue?) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    default: left == right
    }
  }

  package var text: String? { if case .text(let text) = self { text } else { nil } }

  package var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }

  package var kind: SQLKind {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}

extension [UInt8] {
  /// Creates bytes from pairs of hexadecimal digits; `nil` for other characters.
  package init?(hex digits: some Collection<UInt8>) {
    let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard values.count == digits.count, values.count.isMultiple(of: 2) else { return nil }
    self = stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}

/// The kinds of values, as errors name them.
@usableFromInline
package enum SQLKind: String, Sendable {
  case null = "NULL"
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case blob = "BLOB"
}

extension FieldValue {
  package init(_ value: SQLValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let integer): .integer(Int128(integer))
      case .real(let real): .number(real)
      case .text(let text): .text(text)
      case .blob(let bytes): .data(Data(bytes))
      }
  }
}
