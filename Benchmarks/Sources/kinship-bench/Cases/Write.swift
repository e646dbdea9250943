extension Subcommand {
  /// Writes that nobody observes; what observers cost has its place beside them.
  static let write = Subcommand(
    name: "write", question: "What do transactions, deletions and undoing cost?",
    cases: [.updates, .held, .cascade, .cascadeUp, .cascadeUndo, .invert])
}
