public import Kinship

/// A person with parents, children and events.
public struct TestPerson: GraphRecord, Hashable, Codable {
  /// The id.
  public let id: Int
  /// The name.
  public var name: String
  /// The father, if known.
  public var father: Ref<TestPerson>?
  /// The mother, if known.
  public var mother: Ref<TestPerson>?
  /// The children.
  public var children: [Ref<TestPerson>]
  /// The events of this person's life.
  public var events: [Ref<TestEvent>]

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - name: The name.
  ///   - father: The father, if known.
  ///   - mother: The mother, if known.
  ///   - children: The children.
  ///   - events: The events of this person's life.
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
