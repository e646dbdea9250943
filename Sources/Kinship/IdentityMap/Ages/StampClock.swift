/// Returns stamps of the current moment, and reads the clock for them as seldom as possible.
@usableFromInline
struct StampClock: Sendable {
  private var clock: TickedClock<Stamp>
  /// The stamp of the moment.
  @usableFromInline var stamp = Stamp.start
  /// The number of times that the stamp may be used before the clock is read again.
  @usableFromInline var uses = 0
  /// The number of calls in progress in which all writes count as one moment.
  private var moments = 0

  /// Creates a stamp clock from any clock.
  init(_ clock: any Clock<Duration>) {
    let elapsed = clock.stopwatch()
    self.clock = TickedClock(isContinuous: clock is ContinuousClock) { .after(elapsed()) }
  }

  /// The stamp of this moment.
  var now: Stamp { clock.read() }

  /// Returns the stamp of this moment or of up to a tenth of a second ago, for a reader who must
  /// not be delayed.
  @usableFromInline
  mutating func almostNow() -> Stamp { clock.now() }

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
    stamp = now
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
