#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A clock that is read once for each tick of the kernel: looking at the tick costs a tenth of an
/// exact clock.
struct TickedClock<Time: Sendable>: Sendable {
  /// Returns the exact time.
  let read: @Sendable () -> Time
  private let isContinuous: Bool
  private var last: (ticks: Int64, time: Time)?

  /// Creates a clock from an exact one, which `isContinuous` if it runs at the rate of the kernel's
  /// clocks.
  init(isContinuous: Bool, reading read: @escaping @Sendable () -> Time) {
    (self.isContinuous, self.read) = (isContinuous, read)
  }

  /// Returns the time of this moment, or of a moment since the last tick.
  mutating func now() -> Time { isContinuous ? now(at: Self.ticks) : read() }

  /// Returns the same at a tick, given as nanoseconds; `nil` if the system does not provide it.
  ///
  /// Ticks stand still while the machine sleeps, but the kernel counts one when it goes to sleep.
  mutating func now(at ticks: Int64?) -> Time {
    if let last, last.ticks == ticks { return last.time }
    let time = read()
    last = ticks.map { ($0, time) }
    return time
  }

  private static var ticks: Int64? {
    #if os(Linux)
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
      return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    #else
      return nil
    #endif
  }
}
