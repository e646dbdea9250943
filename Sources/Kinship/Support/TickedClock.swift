/// Tells the time that a stopwatch tells, and reads it once for each tick of the kernel.
struct TickedClock: Sendable {
  private let read: @Sendable () -> Duration
  private let isContinuous: Bool
  private var last: (ticks: Int64, time: Duration)?

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - isContinuous: Whether the stopwatch goes by what the kernel's clocks tell.
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
