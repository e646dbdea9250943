/// A histogram of durations.
///
/// Each power of two of nanoseconds is divided into sixteen buckets, so a duration is accurate to a
/// sixteenth, as in an HDR histogram (G. Tene, <https://hdrhistogram.github.io/HdrHistogram/>).
struct DurationHistogram: Hashable, Sendable {
  /// The counts by bucket number, up to the last bucket that is not empty.
  private var counts: ContiguousArray<UInt32> = []
  private(set) var count = 0

  mutating func add(_ duration: Duration) {
    let bucket = Self.bucket(of: duration)
    while counts.count <= bucket { counts.append(0) }
    if counts[bucket] < .max {
      counts[bucket] += 1
      count += 1
    }
  }

  /// Returns the duration that a share of all durations does not exceed, or up to a sixteenth more.
  ///
  /// - Returns: The duration; zero if there is none.
  func quantile(_ share: Double) -> Duration {
    var rest = max(1, Int((Double(count) * share).rounded(.up)))
    for (bucket, count) in counts.enumerated() {
      rest -= Int(count)
      if rest <= 0 { return .nanoseconds(Self.upperBound(of: bucket)) }
    }
    return .zero
  }

  private static func bucket(of duration: Duration) -> Int {
    let nanoseconds = duration.nanoseconds
    if nanoseconds < 16 { return Int(nanoseconds) }
    let shift = 59 - nanoseconds.leadingZeroBitCount
    return shift * 16 + Int(nanoseconds >> UInt64(shift))
  }

  private static func upperBound(of bucket: Int) -> Int64 {
    if bucket < 32 { return Int64(bucket) }
    let shift = bucket / 16 - 1
    return Int64((UInt64(bucket % 16 + 17) << UInt64(shift)) - 1)
  }
}

extension Duration {
  /// The whole nanoseconds, up to 292 years.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    if seconds < 0 || attoseconds < 0 { return 0 }
    let (high, isTooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let sum = high.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
    return isTooLong || sum.overflow ? UInt64(Int64.max) : min(sum.partialValue, UInt64(Int64.max))
  }
}
