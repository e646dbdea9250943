/// Records of several types in recency order, most recently used first.
struct RecordBatch: Sendable {
  /// The records of each type, with their ranks and ages.
  var runs: [CapturedRun]

  /// The number of records.
  var count: Int { runs.reduce(0) { $0 + $1.count } }

  /// For each record in order, the position of the run that contains it as its next one.
  ///
  /// - Complexity: O(*n*) in the ranks that they span.
  var order: [Int] {
    guard let first = runs.lazy.compactMap(\.ranks.first).min(),
      let last = runs.lazy.compactMap(\.ranks.last).max(), first <= last
    else { return [] }
    var places = [Int](repeating: -1, count: last - first + 1)
    for (position, run) in runs.enumerated() {
      for rank in run.ranks { places[rank - first] = position }
    }
    return places.filter { $0 >= 0 }
  }

  /// The records that are not older than a maximum age when `elapsed` is added to the age of each.
  func atMost(_ age: Age, after elapsed: Age, _ types: [any GraphRecord.Type]) -> RecordBatch {
    RecordBatch(
      runs: runs.map { run in types[run.type].keeping(run) { run.ages[$0] + elapsed <= age } })
  }
}

extension GraphRecord {
  /// The records of a run at the positions for which a closure returns `true`.
  static func keeping(_ run: CapturedRun, where isKept: (Int) -> Bool) -> CapturedRun {
    guard let records = run.values as? [Self] else { return run }
    let kept = records.indices.filter(isKept)
    return CapturedRun(
      type: run.type, values: kept.map { records[$0] }, ranks: kept.map { run.ranks[$0] },
      ages: kept.map { run.ages[$0] })
  }
}
