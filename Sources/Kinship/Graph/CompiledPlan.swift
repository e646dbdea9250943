/// A plan in the numbers of a schema.
struct CompiledPlan: Sendable {
  /// By type and relationship: from which generations on it is not followed.
  let limits: [[Int]]
  /// The same for the relationships that lead to a type, against them; empty if none is followed.
  private(set) var backwardLimits: [[Int]] = []
  let budget: Int

  init<Root: GraphRecord>(_ plan: Plan<Root>, schema: GraphSchema) throws(KinshipError) {
    var limits = schema.relationships.map { edges in edges.map { _ in plan.allGenerations } }
    for rule in plan.rules {
      let source = try schema.requiredNumber(of: rule.source)
      let edges = schema.relationships[source].indices.filter {
        schema.relationships[source][$0].keyPath == rule.keyPath
      }
      if edges.isEmpty {
        throw .unknownRelationship(
          type: rule.source.recordName, property: String(describing: rule.keyPath))
      }
      for edge in edges { limits[source][edge] = max(limits[source][edge], rule.generations) }
    }
    self.limits = limits
    budget = plan.budget
    for rule in plan.inverseRules {
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

  /// The limits of the relationships that lead to a type; none if none is followed backwards.
  func backwardLimits(of type: Int) -> [Int] {
    backwardLimits.isEmpty ? [] : backwardLimits[type]
  }
}
