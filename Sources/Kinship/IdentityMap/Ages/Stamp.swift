/// A moment on the clock of a cache, in tenths of a second.
@usableFromInline
struct Stamp: Hashable, Comparable, Sendable, BitwiseCopyable {
  @usableFromInline let rawValue: UInt32

  @inlinable
  init(_ rawValue: UInt32) { self.rawValue = rawValue }

  @inlinable
  static func < (left: Stamp, right: Stamp) -> Bool { left.rawValue < right.rawValue }

  /// The moment at which a cache is created: values that it restores may be older.
  static var start: Stamp { Stamp(1 << 31) }

  /// Returns the moment some time after a cache was created, at most about seven years.
  static func after(_ duration: Duration) -> Stamp {
    let elapsed = start.rawValue.addingReportingOverflow(Age(duration).tenths)
    return Stamp(elapsed.overflow ? .max : elapsed.partialValue)
  }

  /// Returns the time from this moment to a later one; zero if that is earlier.
  @inlinable
  func age(at now: Stamp) -> Age {
    Age(tenths: now.rawValue > rawValue ? now.rawValue - rawValue : 0)
  }

  /// Returns the moment so long after.
  func after(_ age: Age) -> Stamp {
    let (sum, isTooLate) = rawValue.addingReportingOverflow(age.tenths)
    return Stamp(isTooLate ? .max : sum)
  }

  /// Returns the moment so long before, at most about seven years before the cache was created.
  func before(by age: Age) -> Stamp {
    Stamp(rawValue > age.tenths ? rawValue - age.tenths : 0)
  }
}
