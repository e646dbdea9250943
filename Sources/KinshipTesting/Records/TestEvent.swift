public import Kinship

/// An event in the life of a person, at a place.
public struct TestEvent: GraphRecord, Hashable, Codable {
  /// The id.
  public let id: Int
  /// The kind of event.
  public var title: String
  /// The person.
  public var person: Ref<TestPerson>
  /// The place, if known.
  public var place: Ref<TestPlace>?

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - title: The kind of event.
  ///   - person: The person.
  ///   - place: The place, if known.
  public init(id: Int, title: String, person: Ref<TestPerson>, place: Ref<TestPlace>? = nil) {
    self.id = id
    self.title = title
    self.person = person
    self.place = place
  }

  /// The person and the place.
  public static let relationships: Relationships<TestEvent> = [.toOne(\.person), .toOne(\.place)]
}
