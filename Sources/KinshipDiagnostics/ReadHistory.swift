/// The numbers of requested records and of hits, at a bounded number of moments.
struct ReadHistory: Sendable {
  private static let limit = 256

  private(set) var samples: [CacheReport.Reads] = []
  /// The shortest time between two samples.
  private var interval: Duration = .milliseconds(100)

  func isDue(at time: Duration) -> Bool {
    samples.last.map { time - $0.time >= interval } ?? true
  }

  /// Appends the counts up to a moment later than the previous one.
  mutating func append(_ sample: CacheReport.Reads) {
    guard isDue(at: sample.time) else { return }
    if samples.count == Self.limit {
      // Counts are cumulative, so dropping samples loses only detail.
      interval = max(interval, sample.time / (Self.limit / 2))
      let all = samples
      samples = []
      for sample in all where isDue(at: sample.time) { samples.append(sample) }
      if !isDue(at: sample.time) { return }
    }
    samples.append(sample)
  }
}
