/// Gives out stamps of this moment, and reads the clock for them as seldom as can be.
@usableFromInline
struct StampClock: Sendable {
  private let read: @Sendable () -> Stamp
  /// Whether what the clock tells goes by what the kernel's clocks tell.
  private let isContinuous: Bool
  /// What the clock said last when it was asked for the moment, and when that was.
  private var last: (stamp: Stamp, time: CoarseTime)?
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
    stamp = .start
    uses = 0
    moments = 0
  }

  /// The stamp of this moment.
  var now: Stamp { read() }

  /// The stamp of this moment or of up to a tenth of a second ago, for a reader who must not be
  /// delayed.
  @usableFromInline
  mutating func almostNow() -> Stamp { isContinuous ? almostNow(at: .now) : read() }

  /// The same, at a time that the kernel tells.
  mutating func almostNow(at time: CoarseTime?) -> Stamp {
    guard let time else { return read() }
    if let last, last.time.isClose(to: time, within: 50_000_000) { return last.stamp }
    let stamp = read()
    last = (stamp, time)
    return stamp
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
  func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }
}
