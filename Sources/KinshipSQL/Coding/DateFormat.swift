#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The conversion of dates to and from a table's format.
package enum DateFormat {
  package static func value(
    of date: Date, _ format: SQLFormats.Dates
  ) throws(SQLMappingError) -> SQLValue {
    switch format {
    case .secondsSince1970: return try date.timeIntervalSince1970.sqlValue
    case .secondsSince2001: return try date.timeIntervalSinceReferenceDate.sqlValue
    case .text:
      guard let text = DateText.text(of: date) else {
        throw .notStorable("a date is not in the years 0 to 9999")
      }
      return .text(text)
    }
  }

  package static func date(from value: SQLValue, _ format: SQLFormats.Dates) -> Date? {
    switch (format, value) {
    case (.text, .text(let text)): DateText.date(from: text)
    case (.secondsSince1970, _): Double(sqlValue: value).map(Date.init(timeIntervalSince1970:))
    case (.secondsSince2001, _):
      Double(sqlValue: value).map(Date.init(timeIntervalSinceReferenceDate:))
    default: nil
    }
  }
}
