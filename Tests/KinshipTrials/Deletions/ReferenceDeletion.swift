import Kinship

/// The expected deletion: sets that grow until nothing new is added.
struct ReferenceDeletion {
  /// A node that loses refs.
  struct Loss: Hashable {
    let node: Int
    let relationship: String
  }

  /// A node that prevents another's deletion.
  struct Denial: Hashable {
    let node: Int
    let deleted: Int
    let relationship: String
  }

  private(set) var deleted: Set<Int>
  private(set) var losses: Set<Loss> = []
  private(set) var denials: Set<Denial> = []
  /// The world after the deletion.
  private(set) var world: RuleWorld

  init(
    of root: Int, in world: RuleWorld, _ rules: (RuleWorld.Relationship) -> RulePair
  ) {
    deleted = [root]
    self.world = world
    var count = 0
    while count < deleted.count {
      count = deleted.count
      for (source, links) in world.nodes {
        for relationship in RuleWorld.Relationship.allCases {
          for target in links[relationship] where world.nodes[target] != nil {
            let rules = rules(relationship)
            if rules.onDelete == .cascade, deleted.contains(source) { deleted.insert(target) }
            if rules.onTargetDelete == .cascade, deleted.contains(target) {
              deleted.insert(source)
            }
          }
        }
      }
    }
    for (source, links) in world.nodes {
      for relationship in RuleWorld.Relationship.allCases {
        for target in links[relationship] where world.nodes[target] != nil {
          note(source, target, relationship, rules(relationship))
        }
      }
    }
    if denials.isEmpty { make() }
  }

  private mutating func note(
    _ source: Int, _ target: Int, _ relationship: RuleWorld.Relationship, _ rules: RulePair
  ) {
    switch (deleted.contains(source), deleted.contains(target)) {
    case (true, false) where rules.onDelete == .deny:
      denials.insert(
        Denial(node: target, deleted: source, relationship: relationship.rawValue))
    case (false, true) where rules.onTargetDelete == .deny:
      denials.insert(
        Denial(node: source, deleted: target, relationship: relationship.rawValue))
    case (false, true) where rules.onTargetDelete == .nullify:
      losses.insert(Loss(node: source, relationship: relationship.rawValue))
    default: break
    }
  }

  private mutating func make() {
    for node in deleted { world.nodes[node] = nil }
    for loss in losses {
      guard var links = world.nodes[loss.node] else { continue }
      if loss.relationship == RuleWorld.Relationship.one.rawValue { links.one = nil }
      if loss.relationship == RuleWorld.Relationship.many.rawValue {
        links.many.removeAll { deleted.contains($0) }
      }
      world.nodes[loss.node] = links
    }
  }
}
