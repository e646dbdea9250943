/// A clock with the time of a stopwatch, which it reads once for each tick of the kernel.
struct TickedClock: Sendable {
  private let read: @Sendable () -> Duration
  private let isContinuous: Bool
  private var last: (ticks: Int64, time: Duration)?

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - isContinuous: Whether the stopwatch runs at the rate of the kernel's clocks.
  ///   - read: The stopwatch.
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
