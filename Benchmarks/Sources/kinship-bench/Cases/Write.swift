extension Subcommand {
  static let write = Subcommand(
    name: "write", question: "What do transactions, deletions, undoing and observers cost?",
    cases: [
      .updates, .held, .cascade, .cascadeUp, .cascadeUndo, .invert, .observers, .observedType,
      .observedPuts, .observedGraph, .refusals, .typesWrite,
    ])
}
