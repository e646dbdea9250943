#if PostgreSQL
  internal import KinshipSQL

  /// The conversion of moments in time.
  ///
  /// The server counts microseconds or days since 2000, and Swift counts seconds since 2001.
  enum Moment {
    /// 2000 was a leap year.
    private static let secondsOf2000: Int64 = 366 * 86_400

    /// Returns the seconds of a timestamp; `nil` for infinite ones.
    static func seconds(ofTimestamp microseconds: Int64) -> Double? {
      guard microseconds != .max, microseconds != .min else { return nil }
      // Whole seconds and the remainder are both exact, so that their sum is rounded only once.
      let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
      let whole = seconds - secondsOf2000
      guard abs(whole) < 1 << 33 else { return Double(whole) + Double(rest) / 1e6 }
      return Double(whole * 1_000_000 + rest) / 1e6
    }

    /// Returns the microsecond nearest to a moment; `nil` if the server cannot represent it.
    static func timestamp(ofSeconds seconds: Double) -> Int64? {
      guard seconds.isFinite, abs(seconds) < 1e13 else { return nil }
      let whole = seconds.rounded(.down)
      let rest = ((seconds - whole) * 1e6).rounded()
      let (microseconds, overflow) = (Int64(whole) + secondsOf2000).multipliedReportingOverflow(
        by: 1_000_000)
      let (sum, isTooLate) = microseconds.addingReportingOverflow(Int64(rest))
      return overflow || isTooLate ? nil : sum
    }

    static func seconds(ofDate days: Int32) -> Double? {
      guard days != .max, days != .min else { return nil }
      return Double(Int64(days) * 86_400 - secondsOf2000)
    }

    /// Returns the day that begins at a moment; `nil` if none does.
    static func date(ofSeconds seconds: Double) -> Int32? {
      guard let seconds = Int64(exactly: seconds) else { return nil }
      let (sum, overflow) = seconds.addingReportingOverflow(secondsOf2000)
      guard !overflow, sum % 86_400 == 0, let days = Int32(exactly: sum / 86_400),
        days != .max, days != .min
      else { return nil }
      return days
    }

    /// Returns whether a text is a time of day in the server's format.
    static func isPlain(time text: String) -> Bool {
      var scanner = DateScanner(text)
      guard let hours = scanner.number(2), scanner.skip(":"), let minutes = scanner.number(2),
        minutes < 60, scanner.skip(":"), let seconds = scanner.number(2), seconds < 60
      else { return false }
      let fraction = scanner.skip(".") ? scanner.fraction() : 0
      guard let fraction, scanner.isAtEnd else { return false }
      let whole = Int64((hours * 60 + minutes) * 60 + seconds) * 1_000_000
      return self.text(ofTime: whole + Int64((fraction * 1e6).rounded())) == text
    }

    /// Returns a time of day in the server's format: `23:59:59.999999`, without trailing zeros.
    static func text(ofTime microseconds: Int64) -> String? {
      guard 0...86_400_000_000 ~= microseconds else { return nil }
      func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
      let seconds = microseconds / 1_000_000
      let text = "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
      let rest = microseconds % 1_000_000
      guard rest != 0 else { return text }
      var digits = String(String(1_000_000 + rest).dropFirst())
      while digits.last == "0" { digits.removeLast() }
      return "\(text).\(digits)"
    }
  }
#endif
