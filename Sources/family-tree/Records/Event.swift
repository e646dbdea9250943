import Kinship

/// Something that happened to a person or a family, or was true of them.
struct Event: GraphRecord, Codable, Hashable {
  /// The position among the events of the file.
  let id: Int
  var kind: Kind
  /// What was true: the title, the occupation.
  var detail: String?
  var date: EventDate?
  var place: Ref<Place>?

  /// Whether the file says that it did not happen: `1 DIV N`.
  var isDenied: Bool { detail == "N" }

  static let relationships: Relationships<Event> = [.toOne(\.place)]
}
