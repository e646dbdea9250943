import Kinship
import Synchronization

extension Case {
  /// The duration of each change of a record while a snapshot is taken.
  static let snapshotPause = Case(
    "pause", summary: "one change of a record while a snapshot is taken; ns",
    sizes: \.snapshotCounts
  ) { size, _ in
    let file = try await SnapshotFile(Population<Person>(count: size).records)

    return Comparison(
      size: size,
      systems: [
        System("no snapshot, median") {
          try await changes(file, during: nil).sample(\.median)
        },
        System("snapshot, median", bar: .value(5_000)) {
          try await changes(file, during: .compact).sample(\.median)
        },
        System("no snapshot, 999 of 1,000") {
          try await changes(file, during: nil).sample(\.nearlyAll)
        },
        System(
          "snapshot, 999 of 1,000",
          note: "Encoding keeps both cores busy: what is left are the turns of the scheduler."
        ) {
          try await changes(file, during: .compact).sample(\.nearlyAll)
        },
      ])
  }

  /// The durations of changes of records.
  private struct Latencies {
    var median: Duration
    var nearlyAll: Duration

    func sample(_ latency: KeyPath<Latencies, Duration>) -> Sample {
      Sample(self[keyPath: latency], operations: 1, checks: [])
    }
  }

  private static func changes(
    _ file: SnapshotFile, during coder: (any RecordCoder)?
  ) async throws -> Latencies {
    let isOver = Atomic(coder == nil)
    async let snapshot: Void = save(file, coder, isOver)
    var generator = SplitMix64(seed: 1)
    var latencies: [Duration] = []
    repeat {
      for _ in 0..<1_000 {
        let ref = Ref<Person>(Int.random(in: 0..<file.count, using: &generator))
        let watch = Stopwatch()
        try await file.cache.update(ref, \.place, to: "Windsor")
        latencies.append(watch.elapsed)
      }
    } while latencies.count < 10_000 || !isOver.load(ordering: .relaxed)
    try await snapshot
    latencies.sort()
    return Latencies(
      median: latencies[latencies.count / 2], nearlyAll: latencies[latencies.count * 999 / 1_000])
  }

  private static func save(
    _ file: SnapshotFile, _ coder: (any RecordCoder)?, _ isOver: borrowing Atomic<Bool>
  ) async throws {
    defer { isOver.store(true, ordering: .relaxed) }
    if let coder { try await file.save(coder) }
  }
}
