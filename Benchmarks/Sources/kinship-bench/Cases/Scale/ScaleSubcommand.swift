extension Subcommand {
  static let scale = Subcommand(
    name: "scale", question: "What do ten million records cost, beside a thousand?",
    cases: [
      .memory.over(\.scaleCounts), .bulkInsert.over(\.scaleCounts), .hits.over(\.scaleCounts),
      .update.over(\.scaleCounts), .eviction.over(\.scaleCounts),
      .scaleSave, .scaleRestore, .fileStoreOpen.over(\.scaleCounts),
      .fileStoreRead.over(\.scaleCounts), .fileStoreAppend.over(\.scaleCounts),
      .fileStoreCompact.over { $0 == .full ? $0.scaleCounts : [1_000] },
      .putManyTail.over(\.scaleTailCounts),
      .updatesTail.over(\.scaleTailCounts), .trimTail.over(\.scaleTailCounts),
      .snapshotTail.over(\.scaleTailCounts), .restoreTail.over(\.scaleTailCounts),
      .storeCommitTail, .storeCompactTail,
    ])
}

extension Effort {
  var scaleCounts: [Int] {
    switch self {
    case .full: [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
    case .quick: [1_000, 10_000, 100_000]
    }
  }

  var scaleTailCounts: [Int] {
    switch self {
    case .full: [10_000_000]
    case .quick: [1_000]
    }
  }
}
