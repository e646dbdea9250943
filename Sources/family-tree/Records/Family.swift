import Kinship

/// A couple and their children.
struct Family: Record, Codable, Hashable {
  /// The xref in the file, such as `@F1@`.
  let id: String
  var husband: Ref<Person>?
  var wife: Ref<Person>?
  var children: [Ref<Person>] = []
  var events: [Ref<Event>] = []

  var partners: [Ref<Person>] { [husband, wife].compactMap(\.self) }

  static let relationships: Relationships<Family> = [
    .toOne(\.husband), .toOne(\.wife), .toMany(\.children), .toMany(\.events),
  ]
}
