import Kinship
import KinshipTestSupport

/// A plan as plain numbers.
struct ReferencePlan: Hashable, Sendable {
  /// The depth to which all relationships are followed.
  var generations = 0
  /// The depth to which some are followed; `Int.max` for included ones.
  var rules: [Edge: Int] = [:]
  /// The depth to which some are followed backwards.
  var inverses: [Edge: Int] = [:]
  var budget = Int.max
  /// Whether it is a one-off scan.
  var isPassing = false

  /// The generation from which a relationship is not followed.
  func limit(of edge: Edge) -> Int { max(generations, rules[edge] ?? 0) }

  /// The plan as the library's type.
  func plan<R: LibraryRecord>(of type: R.Type) -> Plan<R> {
    var plan = Plan<R>.generations(generations)
    for (edge, depth) in rules {
      switch edge {
      case .mentor: plan = plan.adding(\Author<R.ID>.mentor, depth)
      case .works: plan = plan.adding(\Author<R.ID>.works, depth)
      case .author: plan = plan.adding(\Work<R.ID>.author, depth)
      case .sequels: plan = plan.adding(\Work<R.ID>.sequels, depth)
      }
    }
    for (edge, depth) in inverses {
      switch edge {
      case .mentor: plan = plan.adding(Author<R.ID>.students, depth)
      case .works: plan = plan.adding(Work<R.ID>.claimants, depth)
      case .author: plan = plan.adding(Author<R.ID>.writings, depth)
      case .sequels: plan = plan.adding(Work<R.ID>.prequels, depth)
      }
    }
    if budget != .max { plan = plan.limited(to: budget) }
    return isPassing ? plan.passing : plan
  }

  static func random(using generator: inout SplitMix64) -> ReferencePlan {
    var plan = ReferencePlan()
    if generator.chance(0.5) {
      plan.generations = Int.random(in: 0...3, using: &generator)
    } else {
      for edge in Edge.allCases where generator.chance(0.5) {
        let isIncluded = generator.chance(0.3)
        plan.rules[edge] = isIncluded ? .max : Int.random(in: 0...4, using: &generator)
      }
    }
    if generator.chance(0.35) { plan.budget = Int.random(in: 1...6, using: &generator) }
    plan.isPassing = generator.chance(0.3)
    return plan
  }

  /// A plan that also follows some relationships backwards.
  static func randomWithInverses(using generator: inout SplitMix64) -> ReferencePlan {
    var plan = random(using: &generator)
    if generator.chance(0.5) { plan.generations = 0 }
    for edge in Edge.allCases where generator.chance(0.5) {
      let isIncluded = generator.chance(0.2)
      plan.inverses[edge] = isIncluded ? .max : Int.random(in: 0...4, using: &generator)
    }
    return plan
  }

  /// Simpler plans.
  var shrunk: [ReferencePlan] {
    var simpler: [ReferencePlan] = []
    for edge in Edge.allCases where inverses[edge] != nil {
      var plan = self
      plan.inverses[edge] = nil
      simpler.append(plan)
    }
    for depth in generations.shrunk {
      var plan = self
      plan.generations = depth
      simpler.append(plan)
    }
    for edge in Edge.allCases where rules[edge] != nil {
      var plan = self
      plan.rules[edge] = nil
      simpler.append(plan)
    }
    if budget != .max {
      var plan = self
      plan.budget = .max
      simpler.append(plan)
    }
    if isPassing {
      var plan = self
      plan.isPassing = false
      simpler.append(plan)
    }
    return simpler
  }
}

extension Plan {
  /// Follows a relationship to a depth, or includes it if the depth is unlimited.
  fileprivate func adding<Source: GraphRecord, Value: RelationshipValue>(
    _ path: any KeyPath<Source, Value> & Sendable, _ depth: Int
  ) -> Plan {
    depth == .max ? including(path) : following(path, generations: depth)
  }

  fileprivate func adding<Target: GraphRecord, Source: GraphRecord>(
    _ inverse: Inverse<Target, Source>, _ depth: Int
  ) -> Plan {
    depth == .max ? including(inverse) : following(inverse, generations: depth)
  }
}
