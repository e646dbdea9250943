extension Subcommand {
  static let graph = Subcommand(
    name: "graph", question: "What does it cost to load a pedigree and to walk it?",
    cases: [
      .parents, .pedigree, .walk, .collapse, .cold, .bulkLoad, .limitedStar, .typesGraph,
    ])
}
