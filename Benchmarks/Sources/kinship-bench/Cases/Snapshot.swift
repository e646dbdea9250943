extension Subcommand {
  static let snapshot = Subcommand(
    name: "snapshot", question: "What does it cost to save what is in memory, and to restore it?",
    cases: [.snapshotSave, .snapshotRestore, .snapshotSize, .snapshotPause])
}

extension Effort {
  /// The numbers of records in the snapshots.
  var snapshotCounts: [Int] {
    switch self {
    case .full: [100_000, 1_000_000]
    case .quick: [10_000]
    }
  }
}
