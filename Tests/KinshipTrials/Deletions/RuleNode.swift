import Kinship
import KinshipTestSupport

/// A node of a graph with relationships of both arities, with rules from a parameter.
struct RuleNode<Rules: RuleSet>: GraphRecord, Equatable {
  let id: Int
  var one: Ref<RuleNode>?
  var many: [Ref<RuleNode>]

  init(_ id: Int, _ links: RuleWorld.Links) {
    self.id = id
    one = links.one.map { Ref($0) }
    many = links.many.map { Ref($0) }
  }

  var links: RuleWorld.Links { RuleWorld.Links(one: one?.id, many: many.map(\.id)) }

  static var recordName: String { "Node" }

  static var relationships: Relationships<RuleNode> {
    GenericStatics.value(of: self) {
      [
        .toOne(
          \.one, onDelete: Rules.one.onDelete, onTargetDelete: Rules.one.onTargetDelete),
        .toMany(
          \.many, onDelete: Rules.many.onDelete, onTargetDelete: Rules.many.onTargetDelete),
      ]
    }
  }

  /// Created once for each choice of rules, because finding the names of properties is slow.
  static var schema: GraphSchema {
    get throws { try GenericStatics.value(of: self) { try GraphSchema(RuleNode.self) } }
  }
}
