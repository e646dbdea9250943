/// Measures from its creation.
struct Stopwatch {
  private let start = ContinuousClock.now

  var elapsed: Duration { start.duration(to: .now) }
}
