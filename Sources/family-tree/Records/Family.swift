import Kinship

/// A couple and their children.
struct Family: GraphRecord, Codable, Hashable {
  /// The xref in the file, such as `@F1@`.
  let id: String
  var husband: Ref<Person>?
  var wife: Ref<Person>?
  var children: [Ref<Person>] = []
  var events: [Ref<Event>] = []

  var partners: [Ref<Person>] { [husband, wife].compactMap(\.self) }

  var members: [Ref<Person>] { partners + children }

  /// A family with children cannot be deleted, for their parents are told by it.
  ///
  /// What happened to a family goes with it; its members stay and lose the ref.
  /// No rule says that a family goes with its last member: `Deletion` sees to that.
  static let relationships: Relationships<Family> = [
    .toOne(\.husband), .toOne(\.wife), .toMany(\.children, onDelete: .deny),
    .toMany(\.events, onDelete: .cascade),
  ]
}
