/// The amount of work that a run puts into each figure.
enum Effort {
  /// The sizes and counts of the published figures and the bars.
  case full
  /// Small sizes, for every commit: the checks count, the times are only hints.
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
