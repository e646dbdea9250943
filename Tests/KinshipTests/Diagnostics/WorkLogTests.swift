import KinshipTesting
import KinshipTestSupport
import Testing

@testable import Kinship
@testable import KinshipDiagnostics

/// The records of a cache's work, beside lists of all of it.
struct WorkLogTests {
  private enum Event: Command {
    case begin(CacheWork)
    /// An operation in progress ends, in one of three ways.
    case end(Int, after: Duration, Int)

    static func random(using generator: inout SplitMix64) -> Event {
      if generator.chance(0.5) {
        let kinds: [CacheWork.Kind] = [.fetch, .query, .turn]
        let type: String? = ["A", "B", nil].randomElement(using: &generator) ?? nil
        return .begin(
          CacheWork(
            kinds.randomElement(using: &generator) ?? .fetch, of: type,
            count: .random(in: 0..<5, using: &generator)))
      }
      // Few durations, so that some are equal.
      return .end(
        .random(in: 0..<100, using: &generator),
        after: .microseconds(Int.random(in: 0..<3, using: &generator)),
        .random(in: 0..<4, using: &generator))
    }
  }

  private struct Failure: Error {}

  private struct LogBesideLists {
    var log = WorkLog()
    var now: Duration = .zero
    var underway: [(work: CacheWork, start: Duration)] = []
    var ended: [CacheReport.LongWork] = []
    var cancelled: [WorkLog.Key: Int] = [:]

    mutating func apply(_ event: Event) throws {
      switch event {
      case .begin(let work):
        log.begin(work)
        underway.append((work, now))
      case .end(let index, let duration, let outcome):
        now += duration
        guard !underway.isEmpty else { return }
        let (work, start) = underway.remove(at: index % underway.count)
        let error: (any Error)? =
          outcome == 0 ? Failure() : outcome == 1 ? CancellationError() : nil
        log.end(work, from: start, to: now, error)
        if outcome == 1 { cancelled[key(work), default: 0] += 1 }
        ended.append(
          CacheReport.LongWork(
            work: work, start: start, duration: now - start, hasFailed: outcome == 0))
      }
      try verify()
    }

    private func key(_ work: CacheWork) -> WorkLog.Key {
      WorkLog.Key(kind: work.kind, type: work.type)
    }

    private func verify() throws {
      let keys = Set(ended.map { key($0.work) } + underway.map { key($0.work) })
      try verifyEqual(Set(log.entries.keys), keys, "the kinds of work")
      for (key, entry) in log.entries {
        let own = ended.filter { self.key($0.work) == key }
        try verifyEqual(entry.underway, underway.count { self.key($0.work) == key }, "under way")
        try verifyEqual(entry.ended, own.count, "ended")
        try verifyEqual(entry.failed, own.count { $0.hasFailed }, "failed")
        try verifyEqual(entry.cancelled, cancelled[key] ?? 0, "cancelled")
        try verifyEqual(entry.records, own.reduce(0) { $0 + $1.work.count }, "records")
        try verifyEqual(entry.total, own.reduce(.zero) { $0 + $1.duration }, "in all")
        try verifyEqual(entry.longest, own.map(\.duration).max() ?? .zero, "the longest")
        try verifyEqual(entry.histogram.count, own.count, "the histogram's count")
      }
      let sorted = ended.enumerated().sorted {
        ($1.element.duration, $0.offset) < ($0.element.duration, $1.offset)
      }
      try verifyEqual(
        log.longest, sorted.prefix(WorkLog.longestCount).map(\.element), "what took longest")
    }
  }

  @Test func `the work log equals the sum of its events`() throws {
    try Property.check(
      seeds: 60, steps: 200, generate: { Event.random(using: &$0) },
      system: { _ in LogBesideLists() }, apply: { try $0.apply($1) })
  }

  @Test func `a quantile exceeds the exact duration by at most a sixteenth`() throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<200 {
      let bits = Int64.random(in: 1..<63, using: &generator)
      let durations = (0..<Int.random(in: 1..<300, using: &generator)).map { _ in
        Duration.nanoseconds(Int64.random(in: 0..<(1 << bits), using: &generator))
      }
      var histogram = DurationHistogram()
      for duration in durations { histogram.add(duration) }
      let sorted = durations.sorted()
      for share in [0, 0.01, 0.5, 0.9, 0.99, 1] {
        let rank = max(1, Int((Double(sorted.count) * share).rounded(.up)))
        let (exact, told) = (sorted[rank - 1], histogram.quantile(share))
        #expect(told >= exact && told <= exact + exact / 16, "\(share) of \(sorted.count)")
      }
    }
    #expect(DurationHistogram().quantile(0.5) == .zero)
  }

  @Test func `a histogram accepts zero, negative and very long durations`() {
    var histogram = DurationHistogram()
    for duration in [Duration.seconds(-1), .zero, .seconds(Int64.max)] { histogram.add(duration) }
    #expect(histogram.quantile(0.5) == .zero)
    #expect(histogram.quantile(1) == .nanoseconds(Int64.max))
  }

  /// The history keeps few samples, however long it is, and its totals are exact.
  @Test func `the history of reads stays bounded and its totals exact`() throws {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<20 {
      var history = ReadHistory()
      var all: [CacheReport.Reads] = []
      let pause = Int.random(in: 1..<2_000, using: &generator)
      var (time, hits) = (Duration.zero, 0)
      for _ in 0..<3_000 {
        time += .milliseconds(Int.random(in: 1...pause, using: &generator))
        hits += Int.random(in: 0..<10, using: &generator)
        let sample = CacheReport.Reads(time: time, hits: hits, misses: hits / 2)
        all.append(sample)
        history.append(sample)
        let samples = history.samples
        #expect(samples.count <= 256 && samples.first == all.first)
      }
      let known = Set(all)
      #expect(history.samples.allSatisfy { known.contains($0) })
      let times = history.samples.map(\.time)
      #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(100) })
      // No part of the time has much fewer samples than the others.
      let gaps = zip(times, times.dropFirst() + [time]).map { $1 - $0 }
      #expect(gaps.allSatisfy { $0 <= time / 64 + .milliseconds(100 + pause) })
    }
  }
}
