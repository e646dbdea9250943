extension Traversal {
  /// The point from which walks go on after the records that they wait for.
  struct Continuation: Sendable {
    let plan: CompiledPlan
    private let rules: PlanRules
    /// The distance of these records from the roots, in hops.
    let generation: Int
    /// The number of records that the walks have room for.
    private(set) var room: Int

    /// Creates no continuation if no walk waits, or if those that do are at their ends or have
    /// different plans.
    init?(of walks: [Traversal]) {
      let waiting = walks.indices.filter { walks[$0].isWaiting }
      guard let first = waiting.first else { return nil }
      let leg = walks[first].legs[walks[first].search.leg]
      generation = waiting.reduce(0) { max($0, walks[$1].generation.number + 1) }
      guard leg.plan.leads(beyond: generation) else { return nil }
      plan = leg.plan
      rules = leg.origin.rules
      room = 0
      for number in waiting {
        let other = walks[number].legs[walks[number].search.leg]
        guard waiting.count == 1 || rules.agrees(with: other.origin.rules) else { return nil }
        add(max(0, other.plan.budget - walks[number].search.queue.count))
      }
    }

    private mutating func add(_ count: Int) {
      let (sum, isMore) = room.addingReportingOverflow(count)
      room = isMore ? .max : sum
    }

    /// Merges another continuation, if both go on in the same way; returns whether they do.
    mutating func add(_ other: Continuation) -> Bool {
      guard generation == other.generation, rules.agrees(with: other.rules) else { return false }
      add(other.room)
      return true
    }
  }
}
