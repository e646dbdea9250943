/// A plan in the type and relationship numbers of a schema.
struct CompiledPlan: Sendable {
  /// The generation from which relationships are not followed, except for those with a rule.
  private let allGenerations: Int
  /// The generations from which the relationships with a rule are not followed.
  private var rules: [(edge: EdgeID, generations: Int)] = []
  /// By type: the same for the relationships that lead to it, against them; empty if none is
  /// followed.
  private(set) var backwardLimits: [[Int]] = []
  let budget: Int
  /// Whether the plan is marked `passing`: its records leave the recency order alone.
  let isPassing: Bool

  init(_ plan: PlanRules, schema: GraphSchema) throws(KinshipError) {
    allGenerations = plan.allGenerations
    budget = plan.budget
    isPassing = plan.isPassing
    for rule in plan.forward {
      let edges = schema.relationships[try schema.requiredNumber(of: rule.source)]
      let count = rules.count
      for number in edges.indices where edges[number].keyPath == rule.keyPath {
        rules.append((edges[number].id, rule.generations))
      }
      if rules.count == count {
        throw .invalidSchema(
          .unknownRelationship(
            type: rule.source.recordName, property: String(describing: rule.keyPath)))
      }
    }
    for rule in plan.backward {
      if backwardLimits.isEmpty { backwardLimits = schema.referrers.map { $0.map { _ in 0 } } }
      for edge in try rule.edges(schema) {
        let referrers = schema.referrers[edge.target]
        for number in referrers.indices where referrers[number].id == edge.id {
          let limit = max(backwardLimits[edge.target][number], rule.generations)
          backwardLimits[edge.target][number] = limit
        }
      }
    }
  }

  /// Returns the generation from which a relationship is not followed.
  func limit(of edge: EdgeID) -> Int {
    var limit = allGenerations
    for rule in rules where rule.edge == edge { limit = max(limit, rule.generations) }
    return limit
  }

  /// Whether the plan follows a relationship of records more than so many hops from the root.
  func leads(beyond generation: Int) -> Bool {
    allGenerations > generation || rules.contains { $0.generations > generation }
  }

  /// The limits of the relationships that lead to a type; none if none is followed backwards.
  func backwardLimits(of type: Int) -> [Int] {
    backwardLimits.isEmpty ? [] : backwardLimits[type]
  }
}

/// The plans that were compiled last: callers reuse the same few plans.
struct RecentPlans {
  private var plans: [(rules: PlanRules, plan: CompiledPlan)] = []
  private var next = 0

  /// A plan, which follows nothing backwards, in the numbers of the cache's schema.
  mutating func compiled(
    _ rules: PlanRules, _ schema: GraphSchema
  ) throws(KinshipError) -> CompiledPlan {
    for number in plans.indices where plans[number].rules.agrees(with: rules) {
      return plans[number].plan
    }
    let plan = try CompiledPlan(rules, schema: schema)
    if plans.count < 4 {
      plans.append((rules, plan))
    } else {
      plans[next] = (rules, plan)
      next = (next + 1) % plans.count
    }
    return plan
  }
}
