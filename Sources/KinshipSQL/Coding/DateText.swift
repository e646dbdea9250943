#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The conversion of dates to and from texts in UTC that SQLite's own functions understand.
package enum DateText {
  /// Returns a text such as `2009-01-31 23:59:59.125`; `nil` for a date outside the years 0 to
  /// 9999.
  package static func text(of date: Date) -> String? {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    // The years 0 to 9999, in milliseconds.
    guard (-62_167_219_200_000..<253_402_300_800_000).contains(milliseconds) else { return nil }
    let (days, time) = (Int(milliseconds) + 62_167_219_200_000)
      .quotientAndRemainder(dividingBy: 86_400_000)
    let (year, month, day) = civil(fromDays: days)
    let fields = [
      (year, 4, "-"), (month, 2, "-"), (day, 2, " "), (time / 3_600_000, 2, ":"),
      (time / 60_000 % 60, 2, ":"), (time / 1000 % 60, 2, "."), (time % 1000, 3, ""),
    ]
    var text = ""
    for (number, width, separator) in fields {
      let digits = String(number)
      text += String(repeating: "0", count: width - digits.count) + digits + separator
    }
    return text
  }

  package static func date(from text: String) -> Date? {
    var scanner = DateScanner(text)
    guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2),
      scanner.skip("-"), let day = scanner.number(2), (1...12).contains(month),
      (1...daysIn(month, of: year)).contains(day)
    else { return nil }
    var seconds = Double(days(fromCivil: year, month, day) * 86_400)
    if scanner.isAtEnd { return Date(timeIntervalSince1970: seconds) }
    guard scanner.skip(" ") || scanner.skip("T"), let hour = scanner.number(2), hour < 24,
      scanner.skip(":"), let minute = scanner.number(2), minute < 60
    else { return nil }
    seconds += Double(hour * 3600 + minute * 60)
    if scanner.skip(":") {
      guard let second = scanner.number(2), second < 60 else { return nil }
      seconds += Double(second)
      if scanner.skip(".") {
        guard let fraction = scanner.fraction() else { return nil }
        seconds += fraction
      }
    }
    guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
    return Date(timeIntervalSince1970: seconds - Double(offset))
  }

  // MARK: The calendar

  // Years are counted from March, in cycles of 400. The first cycle begins in the year -400, so
  // that no number is negative.

  /// Returns the days since the beginning of 1970.
  private static func days(fromCivil year: Int, _ month: Int, _ day: Int) -> Int {
    let (era, yearOfEra) = (month <= 2 ? year + 399 : year + 400)
      .quotientAndRemainder(dividingBy: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 865_565
  }

  /// Returns the date a number of days after the beginning of the year 0.
  private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = (days + 146_037).quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func daysIn(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension SQLFormats {
  func value(of date: Date) throws(SQLMappingError) -> SQLValue {
    switch dates {
    case .secondsSince1970: return try date.timeIntervalSince1970.sqlValue
    case .secondsSince2001: return try date.timeIntervalSinceReferenceDate.sqlValue
    case .text:
      guard let text = DateText.text(of: date) else {
        throw .notStorable("a date is not in the years 0 to 9999")
      }
      return .text(text)
    }
  }

  func date(from value: SQLValue) -> Date? {
    switch (dates, value) {
    case (.text, .text(let text)): DateText.date(from: text)
    case (.secondsSince1970, _): Double(sqlValue: value).map(Date.init(timeIntervalSince1970:))
    case (.secondsSince2001, _):
      Double(sqlValue: value).map(Date.init(timeIntervalSinceReferenceDate:))
    default: nil
    }
  }
}

/// Reads the parts of a date's text, from left to right.
package struct DateScanner {
  private var rest: Substring.UTF8View

  package init(_ text: String) { rest = text[...].utf8 }

  package var isAtEnd: Bool { rest.isEmpty }

  /// Reads a number of exactly the given number of digits.
  package mutating func number(_ digits: Int) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Reads the digits after the point, at least one, as a fraction.
  package mutating func fraction() -> Double? {
    guard let first = digit() else { return nil }
    var (number, scale) = (Double(first), 10.0)
    while let digit = digit() {
      // A Double cannot represent further digits.
      guard scale < 1e15 else { continue }
      number = number * 10 + Double(digit)
      scale *= 10
    }
    return number / scale
  }

  /// Reads the seconds that the text is ahead of UTC: 0 without an offset, `nil` for an invalid
  /// one.
  package mutating func offset() -> Int? {
    if isAtEnd || skip("Z") { return 0 }
    let sign = skip("+") ? 1 : skip("-") ? -1 : 0
    guard sign != 0, let hours = number(2), hours < 24, skip(":"), let minutes = number(2),
      minutes < 60
    else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  /// Skips a character, if it is the next one.
  package mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard let byte = rest.first, byte == UInt8(ascii: scalar) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func digit() -> Int? {
    guard let byte = rest.first, case let digit = byte &- UInt8(ascii: "0"), digit < 10 else {
      return nil
    }
    rest.removeFirst()
    return Int(digit)
  }
}
