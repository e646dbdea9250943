extension Subcommand {
  static let views = Subcommand(
    name: "views", question: "What do nested structs of one's own cost?",
    cases: [
      .viewInMemory, .viewFromSQLite, .viewCalls, .viewChange, .liveCount, .manyLists,
      .restoredView,
    ])
}
