public import Kinship

/// Someone with parents, children and events.
public struct TestPerson: GraphRecord, Hashable, Codable {
  /// The id.
  public let id: Int

  /// The name.
  public var name: String

  /// The father, where he is known.
  public var father: Ref<TestPerson>?

  /// The mother, where she is known.
  public var mother: Ref<TestPerson>?

  /// The children.
  public var children: [Ref<TestPerson>]

  /// What happened to this person.
  public var events: [Ref<TestEvent>]

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - name: The name.
  ///   - father: The father, where he is known.
  ///   - mother: The mother, where she is known.
  ///   - children: The children.
  ///   - events: What happened to this person.
  public init(
    id: Int, name: String, father: Ref<TestPerson>? = nil, mother: Ref<TestPerson>? = nil,
    children: [Ref<TestPerson>] = [], events: [Ref<TestEvent>] = []
  ) {
    self.id = id
    self.name = name
    self.father = father
    self.mother = mother
    self.children = children
    self.events = events
  }

  /// The parents, the children and the events.
  public static let relationships: Relationships<TestPerson> = [
    .toOne(\.father), .toOne(\.mother), .toMany(\.children), .toMany(\.events),
  ]
}
