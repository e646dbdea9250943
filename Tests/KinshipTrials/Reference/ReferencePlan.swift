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
      case .mentor: plan = plan.following(\Author<R.ID>.mentor, generations: depth)
      case .works: plan = plan.following(\Author<R.ID>.works, generations: depth)
      case .author: plan = plan.following(\Work<R.ID>.author, generations: depth)
      case .sequels: plan = plan.following(\Work<R.ID>.sequels, generations: depth)
      }
    }
    for (edge, depth) in inverses {
      switch edge {
      case .mentor: plan = plan.following(Author<R.ID>.students, generations: depth)
      case .works: plan = plan.following(Work<R.ID>.claimants, generations: depth)
      case .author: plan = plan.following(Author<R.ID>.writings, generations: depth)
      case .sequels: plan = plan.following(Work<R.ID>.prequels, generations: depth)
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
