public import Kinship

/// A statement of a document about people: a record with a version.
public struct TestCitation: Versioned, Hashable, Codable {
  /// The id.
  public let id: Int
  /// The document.
  public var source: Ref<TestSource>
  /// The people that it is about.
  public var people: [Ref<TestPerson>]
  /// The page, if there is one.
  public var page: Int?
  /// The text.
  public var text: String
  /// The number of updates of the record.
  public var version: Int

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - source: The document.
  ///   - people: The people that it is about.
  ///   - page: The page, if there is one.
  ///   - text: The text.
  ///   - version: The number of updates of the record.
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
