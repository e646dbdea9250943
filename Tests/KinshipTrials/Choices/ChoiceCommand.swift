import KinshipTesting
import KinshipTestSupport

/// A command in a world of nodes of two types.
enum ChoiceCommand: Command {
  case put(Int, RuleWorld.Links)
  /// Only one property is set.
  case setOne(Int, Int?)
  case setMany(Int, [Int])
  case delete(Int)
  /// A graph of a node, with some generations along each relationship.
  case walk(Int, one: Int, many: Int)
  /// Finds the referrers of a node.
  case referrers(Int)
  case resolve(Int)
  case drop

  /// Few, so that commands conflict.
  static let nodes = 0..<7

  static func random(using generator: inout SplitMix64) -> ChoiceCommand {
    let node = Int.random(in: nodes, using: &generator)
    let (one, many) = (
      generator.chance(0.7) ? Int.random(in: nodes, using: &generator) : nil,
      (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        Int.random(in: nodes, using: &generator)
      }
    )
    return switch Int.random(in: 0..<14, using: &generator) {
    case 0..<4: .put(node, RuleWorld.Links(one: one, many: many))
    case 4: .setOne(node, one)
    case 5: .setMany(node, many)
    case 6, 7: .delete(node)
    case 8, 9:
      .walk(
        node, one: Int.random(in: 0...4, using: &generator),
        many: Int.random(in: 0...3, using: &generator))
    case 10, 11: .referrers(node)
    case 12: .resolve(node)
    default: .drop
    }
  }

  var shrunk: [ChoiceCommand] {
    switch self {
    case .put(let node, let links):
      links.many.shrunk.map { .put(node, RuleWorld.Links(one: links.one, many: $0)) }
        + (links.one == nil ? [] : [.put(node, RuleWorld.Links(many: links.many))])
    case .setMany(let node, let many): many.shrunk.map { .setMany(node, $0) }
    case .walk(let node, let one, let many) where one + many > 0:
      [.walk(node, one: one / 2, many: many / 2)]
    default: []
    }
  }
}
