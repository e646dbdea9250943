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
