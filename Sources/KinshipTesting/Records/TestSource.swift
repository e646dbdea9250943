public import Kinship

/// A document, perhaps part of a larger one: a record with a string id, and with required and
/// optional properties of all simple kinds.
public struct TestSource: GraphRecord, Hashable, Codable {
  /// The id.
  public let id: String
  /// The title.
  public var title: String
  /// The author, if known.
  public var author: String?
  /// The year, if known.
  public var year: Int?
  /// The reliability.
  public var quality: Double
  /// The weight, if known.
  public var weight: Double?
  /// Whether it is an original.
  public var isOriginal: Bool
  /// Whether it is printed, if known.
  public var isPrinted: Bool?
  /// The larger document that contains this one.
  public var whole: Ref<TestSource>?

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - title: The title.
  ///   - author: The author, if known.
  ///   - year: The year, if known.
  ///   - quality: The reliability.
  ///   - weight: The weight, if known.
  ///   - isOriginal: Whether it is an original.
  ///   - isPrinted: Whether it is printed, if known.
  ///   - whole: The larger document that contains this one.
  public init(
    id: String, title: String, author: String? = nil, year: Int? = nil, quality: Double = 1,
    weight: Double? = nil, isOriginal: Bool = false, isPrinted: Bool? = nil,
    whole: Ref<TestSource>? = nil
  ) {
    self.id = id
    self.title = title
    self.author = author
    self.year = year
    self.quality = quality
    self.weight = weight
    self.isOriginal = isOriginal
    self.isPrinted = isPrinted
    self.whole = whole
  }

  /// The larger document.
  public static let relationships: Relationships<TestSource> = [.toOne(\.whole)]
}
