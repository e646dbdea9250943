#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The time at the kernel's last tick, in nanoseconds: reading it costs a tenth of an exact clock.
///
/// The count of ticks stands still while the machine sleeps; the wall clock does not, but may be
/// set. If both say that little time has passed, it is true, unless the clock was set back by just
/// as long as the machine has slept.
struct CoarseTime: Sendable, BitwiseCopyable {
  var ticks: Int64
  var wall: Int64

  /// Returns whether a time is no later than so many nanoseconds after this one.
  func isClose(to other: CoarseTime, within limit: Int64) -> Bool {
    let range = 0..<limit
    return range.contains(other.ticks &- ticks) && range.contains(other.wall &- wall)
  }

  /// A time that is close to none.
  static let never = CoarseTime(ticks: .min, wall: .min)

  /// The count of ticks; `nil` if the system does not provide it.
  static var ticks: Int64? {
    #if os(Linux)
      read(CLOCK_MONOTONIC_COARSE)
    #else
      nil
    #endif
  }

  /// The wall clock at the last tick; `nil` if the system does not provide it.
  static var wall: Int64? {
    #if os(Linux)
      read(CLOCK_REALTIME_COARSE)
    #else
      nil
    #endif
  }

  #if os(Linux)
    private static func read(_ clock: clockid_t) -> Int64 {
      var time = timespec()
      clock_gettime(clock, &time)
      return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
  #endif
}

/// A clock with the time of a stopwatch, which it reads once for each tick of the kernel.
struct TickedClock: Sendable {
  private let read: @Sendable () -> Duration
  private let isContinuous: Bool
  private var last: (ticks: Int64, time: Duration)?

  /// Creates a clock from a stopwatch, which `isContinuous` if it runs at the rate of the kernel's
  /// clocks.
  init(isContinuous: Bool, reading read: @escaping @Sendable () -> Duration) {
    (self.isContinuous, self.read) = (isContinuous, read)
  }

  /// The time at this tick.
  mutating func now() -> Duration {
    guard isContinuous, let ticks = CoarseTime.ticks else { return read() }
    if let last, last.ticks == ticks { return last.time }
    let time = read()
    last = (ticks, time)
    return time
  }
}
