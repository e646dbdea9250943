#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A decimal number as `Decimal` describes it.
struct DecimalText {
  let text: String

  init(_ text: String) { self.text = text }

  /// The number; `nil` where the text is something else, even in part.
  var decimal: Decimal? {
    if text == Decimal.nan.description { return .nan }
    guard let decimal = Decimal(string: text), decimal.description == text else { return nil }
    return decimal
  }
}
