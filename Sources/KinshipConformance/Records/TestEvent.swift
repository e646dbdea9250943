public import Kinship

/// Something that happened to a person at a place.
public struct TestEvent: GraphRecord, Hashable, Codable {
  /// The id.
  public let id: Int

  /// What happened.
  public var title: String

  /// Whom it happened to.
  public var person: Ref<TestPerson>

  /// Where it happened, where that is known.
  public var place: Ref<TestPlace>?

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - title: What happened.
  ///   - person: Whom it happened to.
  ///   - place: Where it happened, where that is known.
  public init(id: Int, title: String, person: Ref<TestPerson>, place: Ref<TestPlace>? = nil) {
    self.id = id
    self.title = title
    self.person = person
    self.place = place
  }

  /// The person and the place.
  public static let relationships: Relationships<TestEvent> = [.toOne(\.person), .toOne(\.place)]
}
