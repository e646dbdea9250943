extension Traversal {
  /// The records and referrers that walks need before they can go on.
  struct Needs: Sendable {
    /// The records whose referrers by a relationship are unknown.
    struct Referrers: Sendable {
      let edge: EdgeID
      let targets: IDs
    }

    var claims: [Claims] = []
    var referrers: [Referrers] = []
    /// The point from which the walks go on after their first needs.
    var continuation: Continuation?

    var isEmpty: Bool { claims.isEmpty && referrers.isEmpty }

    mutating func add(_ other: Needs) {
      claims += other.claims
      referrers += other.referrers
    }
  }

  /// Returns the relationships that some legs follow backwards, by target type.
  static func backward(of legs: [Leg], _ schema: GraphSchema) -> [[Int]] {
    schema.referrers.indices.map { type in
      schema.referrers[type].indices.filter { number in
        legs.contains { leg in
          let limits = leg.plan.backwardLimits(of: type)
          return !limits.isEmpty && limits[number] > 0
        }
      }
    }
  }

  /// Finds the referrers of the next nodes, by the relationships that are followed backwards.
  func findReferrers(
    toThoseIn slots: [Slot], _ type: Int, _ limits: [Int], _ map: inout IdentityMap
  ) -> [(cell: Int, edge: EdgeID, found: [FoundReferrers])] {
    guard let staging, !limits.isEmpty else { return [] }
    var all: [(cell: Int, edge: EdgeID, found: [FoundReferrers])] = []
    for (cell, number) in backward[type].enumerated() where limits[number] > generation.number {
      let edge = schema.referrers[type][number]
      all.append((cell, edge.id, edge.operations.referrers(toThoseIn: slots, staging, &map)))
    }
    return all
  }

  /// Follows the referrers of a node, and notes their number if it is known.
  ///
  /// Once the budget is spent, the walk does not ask for them: the graph reports them as unknown.
  mutating func follow(
    _ referrers: FoundReferrers, by edge: EdgeID, _ type: Int, cell: Int,
    _ marks: inout TraversalMarks
  ) {
    let isAffordable = search.queue.count < search.budget
    if !referrers.isComplete {
      if loads, isAffordable {
        generation.referrers.unknown.append(
          Needs.Referrers(edge: edge, targets: referrers.target))
      }
      if !loads, isAffordable { found.isPartial = true }
    }
    if isAffordable, loads { generation.referrers.absent += referrers.absent }
    for slot in referrers.slots where slot != .absent && slot != .missing {
      _ = reach(slot, type: edge.source.index, &marks)
    }
    if referrers.isComplete, referrers.absent.isEmpty {
      found.columns[type].edges[cell] = Int32(truncatingIfNeeded: referrers.slots.count)
    }
  }
}
