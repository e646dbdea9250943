import Kinship

/// A part of OO1, connected to others.
struct Part: GraphRecord, Codable {
  let id: Int
  var type: String
  var x: Int
  var y: Int
  var date: Int
  var connections: [Ref<Part>]

  static let relationships: Relationships<Part> = [.toMany(\.connections)]

  /// A number that depends on all properties, for traversals to add up.
  var digest: Int { x &+ y &+ type.utf8.count }
}
