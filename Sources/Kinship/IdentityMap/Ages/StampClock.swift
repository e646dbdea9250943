/// Gives out stamps of this moment, and reads the clock for them as seldom as can be.
@usableFromInline
struct StampClock: Sendable {
  private let read: @Sendable () -> Stamp
  /// Whether what the clock tells goes by what the kernel's clocks tell.
  private let isContinuous: Bool
  /// What the clock said last when it was asked for the moment, and when that was.
  private var last: (stamp: Stamp, time: CoarseTime)
  /// At which tick that was last found to be almost the moment.
  private var tick: Int64
  /// The stamp of the moment.
  @usableFromInline var stamp: Stamp
  /// How often the stamp may be given out before the clock is read again.
  @usableFromInline var uses: Int
  /// How many calls are under way in which all that is written counts as one moment.
  private var moments: Int

  /// Makes a clock of any clock.
  init(_ clock: any Clock<Duration>) {
    let elapsed = clock.stopwatch()
    self.init(isContinuous: clock is ContinuousClock) { .after(elapsed()) }
  }

  init(isContinuous: Bool, reading read: @escaping @Sendable () -> Stamp) {
    self.read = read
    self.isContinuous = isContinuous
    last = (.start, .never)
    tick = CoarseTime.never.ticks
    stamp = .start
    uses = 0
    moments = 0
  }

  /// The stamp of this moment.
  var now: Stamp { read() }

  /// The stamp of this moment or of up to a tenth of a second ago, for a reader who must not be
  /// delayed.
  @usableFromInline
  mutating func almostNow() -> Stamp {
    isContinuous ? almostNow(at: CoarseTime.ticks, wall: CoarseTime.wall) : read()
  }

  /// The same, at a tick of the kernel.
  ///
  /// - Parameters:
  ///   - ticks: The count of ticks.
  ///   - wall: What the clock on the wall said then. It is asked once for each tick: a machine that
  ///     is about to sleep counts what has passed of the last one, so that after it the count is
  ///     another.
  /// - Returns: The stamp.
  mutating func almostNow(at ticks: Int64?, wall: @autoclosure () -> Int64?) -> Stamp {
    if ticks == tick { return last.stamp }
    guard let ticks, let wall = wall() else { return read() }
    let time = CoarseTime(ticks: ticks, wall: wall)
    if !last.time.isClose(to: time, within: 50_000_000) { last = (read(), time) }
    tick = ticks
    return last.stamp
  }

  /// The stamp for what is written at this moment.
  @inlinable
  mutating func next() -> Stamp {
    if uses == 0 { renew() }
    uses &-= 1
    return stamp
  }

  /// Begins a call in which all that is written counts as one moment, within reason: of 256 stamps
  /// one reads the clock.
  mutating func beginMoment() { moments += 1 }

  /// Whether such a call is under way.
  var isInMoment: Bool { moments > 0 }

  mutating func endMoment() {
    moments -= 1
    if moments == 0 { uses = 0 }
  }

  @usableFromInline
  mutating func renew() {
    stamp = read()
    uses = moments > 0 ? 256 : 1
  }
}

extension Clock where Duration == Swift.Duration {
  /// Tells the time from now on.
  package func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }
}
