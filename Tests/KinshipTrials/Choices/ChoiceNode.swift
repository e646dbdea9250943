import Kinship
import KinshipTestSupport

/// The half of the numbers that nodes have.
protocol NodeSide: Sendable {
  static var name: String { get }
}

enum EvenSide: NodeSide { static var name: String { "Even" } }
enum OddSide: NodeSide { static var name: String { "Odd" } }

/// A node of a ``RuleWorld``, of one type if its number is even, and of another if it is odd, so
/// that its relationships lead to records of two types.
struct ChoiceNode<Rules: RuleSet, Side: NodeSide>: GraphRecord, Codable, Equatable {
  typealias Choice = OneOf<ChoiceNode<Rules, EvenSide>, ChoiceNode<Rules, OddSide>>

  let id: Int
  var one: Choice?
  var many: [Choice]

  init(_ id: Int, _ links: RuleWorld.Links) {
    self.id = id
    one = links.one.map { .numbered($0) }
    many = links.many.map { .numbered($0) }
  }

  var links: RuleWorld.Links { RuleWorld.Links(one: one?.number, many: many.map(\.number)) }

  static var recordName: String { Side.name }

  static var relationships: Relationships<ChoiceNode> {
    GenericStatics.value(of: self) {
      [
        .toOneOf(\.one, onDelete: Rules.one.onDelete, onTargetDelete: Rules.one.onTargetDelete),
        .toManyOf(
          \.many, onDelete: Rules.many.onDelete, onTargetDelete: Rules.many.onTargetDelete),
      ]
    }
  }
}

extension OneOf {
  /// The node with a number.
  static func numbered<Rules: RuleSet>(_ number: Int) -> OneOf
  where First == ChoiceNode<Rules, EvenSide>, Second == ChoiceNode<Rules, OddSide> {
    number.isMultiple(of: 2)
      ? OneOf(Ref<ChoiceNode<Rules, EvenSide>>(number))
      : OneOf(Ref<ChoiceNode<Rules, OddSide>>(number))
  }
}

extension OneOf where First.ID == Int, Second.ID == Int {
  var number: Int {
    switch self {
    case .first(let ref): ref.id
    case .second(let ref): ref.id
    }
  }
}
