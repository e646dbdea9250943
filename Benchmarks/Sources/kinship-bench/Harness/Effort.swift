/// The amount of work that a run puts into each figure.
enum Effort {
  /// The sizes and counts that the published figures and the bars are stated for.
  case full
  /// Small enough for every commit: the counts are checked, the times only hint.
  case quick

  var recordCounts: [Int] {
    switch self {
    case .full: [1_000, 10_000, 100_000, 1_000_000]
    case .quick: [1_000, 10_000]
    }
  }

  var defaultRounds: Int {
    switch self {
    case .full: 9
    case .quick: 3
    }
  }

  /// The number of operations to time, where a full run times `full`.
  func operations(_ full: Int) -> Int {
    switch self {
    case .full: full
    case .quick: full / 10
    }
  }
}
