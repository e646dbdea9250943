#if SQLite
  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// Dates as a table stores them.
  enum DateFormat {
    static func value(
      of date: Date, _ format: SQLiteFormats.Dates
    ) throws(SQLiteError) -> SQLiteValue {
      switch format {
      case .secondsSince1970: return try date.timeIntervalSince1970.sqliteValue
      case .secondsSince2001: return try date.timeIntervalSinceReferenceDate.sqliteValue
      case .text:
        guard let text = DateText.text(of: date) else {
          throw .notStorable("a date is not in the years 0 to 9999")
        }
        return .text(text)
      }
    }

    static func date(from value: SQLiteValue, _ format: SQLiteFormats.Dates) -> Date? {
      switch (format, value) {
      case (.text, .text(let text)): DateText.date(from: text)
      case (.secondsSince1970, _): Double(sqliteValue: value).map(Date.init(timeIntervalSince1970:))
      case (.secondsSince2001, _):
        Double(sqliteValue: value).map(Date.init(timeIntervalSinceReferenceDate:))
      default: nil
      }
    }
  }
#endif
