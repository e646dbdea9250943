public import Kinship

/// A place, perhaps part of a larger one.
public struct TestPlace: GraphRecord, Hashable, Codable {
  /// The id.
  ///
  /// It can be set, to test that stores prevent it.
  public internal(set) var id: Int
  /// The name.
  public var name: String
  /// The larger place that contains this one.
  public var region: Ref<TestPlace>?

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - name: The name.
  ///   - region: The larger place that contains this one.
  public init(id: Int, name: String, region: Ref<TestPlace>? = nil) {
    self.id = id
    self.name = name
    self.region = region
  }

  /// The larger place.
  public static let relationships: Relationships<TestPlace> = [.toOne(\.region)]
}
