public import Kinship

/// A place, perhaps within a larger one.
public struct TestPlace: GraphRecord, Hashable, Codable {
  /// The id; it can be set, for stores that must not let it be.
  public internal(set) var id: Int

  /// The name.
  public var name: String

  /// The larger place that this one lies in.
  public var region: Ref<TestPlace>?

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - name: The name.
  ///   - region: The larger place that this one lies in.
  public init(id: Int, name: String, region: Ref<TestPlace>? = nil) {
    self.id = id
    self.name = name
    self.region = region
  }

  /// The larger place.
  public static let relationships: Relationships<TestPlace> = [.toOne(\.region)]
}
