/// The time since something was learnt, in tenths of a second.
@usableFromInline
struct Age: Hashable, Comparable, Sendable, BitwiseCopyable {
  @usableFromInline let tenths: UInt32

  @inlinable
  init(tenths: UInt32) { self.tenths = tenths }

  /// Creates an age from a duration: below zero it is none, above thirteen years it is thirteen
  /// years.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (tenths, isTooLong) = seconds.multipliedReportingOverflow(by: 10)
    if seconds < 0 || attoseconds < 0 {
      self.tenths = 0
    } else if isTooLong || tenths >= Int64(UInt32.max) {
      self.tenths = .max
    } else {
      self.tenths = UInt32(
        clamping: tenths + attoseconds / Self.attosecondsInTenth)
    }
  }

  private static let attosecondsInTenth: Int64 = 100_000_000_000_000_000

  /// Creates an age that is up to two tenths shorter than a duration, and nine years at most,
  /// without a division.
  @inlinable
  init(justBelow duration: Duration) {
    let units = UInt64(UInt32(clamping: duration.attoseconds >> 56))
    // 2⁵⁶ attoseconds are 3,094,850,097.98 times a 2³²th of a tenth.
    tenths = UInt32(truncatingIfNeeded: (units &* 3_094_850_097) >> 32)
  }

  var duration: Duration { .milliseconds(Int64(tenths) * 100) }

  @inlinable
  static func < (left: Age, right: Age) -> Bool { left.tenths < right.tenths }

  /// Returns an age that is lower by up to a tenth, depending on a number that serves as random.
  func earlier(by number: UInt32) -> Age {
    Age(tenths: tenths - UInt32(UInt64(tenths) * UInt64(number % 1_000) / 10_000))
  }

  /// The lowest of these ages.
  var earliest: Age { Age(tenths: tenths - tenths / 10) }

  /// The age after some time.
  static func + (left: Age, right: Age) -> Age {
    let (sum, isTooLong) = left.tenths.addingReportingOverflow(right.tenths)
    return Age(tenths: isTooLong ? .max : sum)
  }
}
