public import Kinship

/// What a document says of people: a record with a version.
public struct TestCitation: Versioned, Hashable, Codable {
  /// The id.
  public let id: Int

  /// The document.
  public var source: Ref<TestSource>

  /// Of whom it speaks.
  public var people: [Ref<TestPerson>]

  /// The page, where there is one.
  public var page: Int?

  /// What it says.
  public var text: String

  /// How often the record has been updated.
  public var version: Int

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - source: The document.
  ///   - people: Of whom it speaks.
  ///   - page: The page, where there is one.
  ///   - text: What it says.
  ///   - version: How often the record has been updated.
  public init(
    id: Int, source: Ref<TestSource>, people: [Ref<TestPerson>] = [], page: Int? = nil,
    text: String = "", version: Int = 0
  ) {
    self.id = id
    self.source = source
    self.people = people
    self.page = page
    self.text = text
    self.version = version
  }

  /// The document and the people.
  public static let relationships: Relationships<TestCitation> = [
    .toOne(\.source), .toMany(\.people),
  ]
}
