extension Subcommand {
  static let query = Subcommand(
    name: "query", question: "What does it cost to find records by what they say?",
    cases: [
      .numberScan, .textScan, .sqliteFilter, .hashIndex, .orderedTop, .orderedRange, .indexUpkeep,
      .fileIndex, .fileIndexMaking, .liveQuery, .window,
    ])
}
