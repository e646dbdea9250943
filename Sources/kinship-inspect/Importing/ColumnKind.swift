import Foundation
import Kinship

/// The kind of the fields in a column of comma-separated values.
///
/// It is the first kind that fits all fields as `export` spells them, so `01` and `+1` are texts,
/// as are bytes and identifiers. A table that is exported again is therefore the same, byte for
/// byte, except for columns without any value.
enum ColumnKind: CaseIterable {
  case integer, number, bool, json, text

  /// The value of a field; `nil` if it is none of this kind.
  func value(of text: String) -> FieldValue? {
    switch self {
    case .integer: Int128(text).flatMap { "\($0)" == text ? .integer($0) : nil }
    case .number:
      Double(text).flatMap { $0.isFinite && "\($0)" == text ? .number($0) : nil }
        ?? Self.integer.value(of: text)
    case .bool: text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
    case .json:
      text.utf8.first.flatMap { [UInt8(ascii: "["), UInt8(ascii: "{")].contains($0) ? $0 : nil }
        .flatMap { _ in
          var reader = JSONReader(Array(text.utf8))
          return (try? reader.value()).flatMap { $0.json == text ? $0 : nil }
        }
    case .text: .text(text)
    }
  }
}
