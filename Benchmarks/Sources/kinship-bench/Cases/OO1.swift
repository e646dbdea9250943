extension Subcommand {
  static let oo1 = Subcommand(
    name: "oo1", question: "What do the operations of OO1 cost: lookup, traversal, insert?",
    cases: [.oo1Lookup, .oo1LookupCold, .oo1Traversal, .oo1TraversalCold, .oo1Insert])
}

extension Effort {
  /// The numbers of parts that OO1 specifies.
  var partCounts: [Int] {
    switch self {
    case .full: [20_000, 200_000]
    case .quick: [20_000]
    }
  }
}
