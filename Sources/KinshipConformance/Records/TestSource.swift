public import Kinship

/// A document, perhaps within a larger one: a record with an id that is a string, and with
/// properties of all simple kinds, some of which may have no value.
public struct TestSource: GraphRecord, Hashable, Codable {
  /// The id.
  public let id: String

  /// The title.
  public var title: String

  /// Who wrote it, where that is known.
  public var author: String?

  /// The year, where it is known.
  public var year: Int?

  /// How far it can be relied on.
  public var quality: Double

  /// What it weighs, where that is known.
  public var weight: Double?

  /// Whether it is an original.
  public var isOriginal: Bool

  /// Whether it is printed, where that is known.
  public var isPrinted: Bool?

  /// The larger document that this one is a part of.
  public var whole: Ref<TestSource>?

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - title: The title.
  ///   - author: Who wrote it, where that is known.
  ///   - year: The year, where it is known.
  ///   - quality: How far it can be relied on.
  ///   - weight: What it weighs, where that is known.
  ///   - isOriginal: Whether it is an original.
  ///   - isPrinted: Whether it is printed, where that is known.
  ///   - whole: The larger document that this one is a part of.
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
