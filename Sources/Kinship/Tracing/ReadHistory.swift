/// How many records were asked for and how many of them were in memory, at some moments: a bounded
/// number of them, however long it goes on.
struct ReadHistory: Sendable {
  /// What was counted until a moment.
  struct Sample: Hashable, Sendable {
    let time: Duration
    let hits: Int
    let misses: Int
  }

  private static let limit = 256

  private(set) var samples: [Sample] = []
  /// How long nothing is noted after a sample.
  private var interval: Duration = .milliseconds(100)

  /// Whether a sample is wanted.
  func isDue(at time: Duration) -> Bool {
    samples.last.map { time - $0.time >= interval } ?? true
  }

  /// Notes what was counted until a moment that is later than the last one.
  mutating func note(_ sample: Sample) {
    guard isDue(at: sample.time) else { return }
    if samples.count == Self.limit {
      // What is counted goes on from sample to sample, so that nothing is lost but detail.
      interval = max(interval, sample.time / (Self.limit / 2))
      let all = samples
      samples = []
      for sample in all where isDue(at: sample.time) { samples.append(sample) }
      if !isDue(at: sample.time) { return }
    }
    samples.append(sample)
  }
}
