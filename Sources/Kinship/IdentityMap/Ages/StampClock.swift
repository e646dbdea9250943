/// Returns stamps of the current moment, and reads the clock for them as seldom as possible.
@usableFromInline
struct StampClock: Sendable {
  private let read: @Sendable () -> Stamp
  /// Whether the clock runs at the rate of the kernel's clocks.
  private let isContinuous: Bool
  /// The clock's last stamp, and the time at which it was read.
  private var last: (stamp: Stamp, time: CoarseTime)
  /// The tick at which the stamp was last found to be almost current.
  private var tick: Int64
  /// The stamp of the moment.
  @usableFromInline var stamp: Stamp
  /// The number of times that the stamp may be used before the clock is read again.
  @usableFromInline var uses: Int
  /// The number of calls in progress in which all writes count as one moment.
  private var moments: Int

  /// Creates a stamp clock from any clock.
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

  /// Returns the stamp of this moment or of up to a tenth of a second ago, for a reader who must
  /// not be delayed.
  @usableFromInline
  mutating func almostNow() -> Stamp {
    isContinuous ? almostNow(at: CoarseTime.ticks, wall: CoarseTime.wall) : read()
  }

  /// Returns the same, at a tick of the kernel.
  ///
  /// The wall clock at that tick is read once for each tick: a machine that goes to sleep counts
  /// the time since the last one, so that the count differs afterwards.
  mutating func almostNow(at ticks: Int64?, wall: @autoclosure () -> Int64?) -> Stamp {
    if ticks == tick { return last.stamp }
    guard let ticks, let wall = wall() else { return read() }
    let time = CoarseTime(ticks: ticks, wall: wall)
    if !last.time.isClose(to: time, within: 50_000_000) { last = (read(), time) }
    tick = ticks
    return last.stamp
  }

  /// Returns the stamp for a write at this moment.
  @inlinable
  mutating func next() -> Stamp {
    if uses == 0 { renew() }
    uses &-= 1
    return stamp
  }

  /// Begins a call in which all writes count as one moment, within reason: one of 256 stamps reads
  /// the clock.
  mutating func beginMoment() { moments += 1 }

  /// Whether such a call is in progress.
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
  /// Returns a closure that measures the time from now on.
  package func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }
}
