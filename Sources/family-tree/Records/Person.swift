import Kinship

/// A person, with refs to their parents, families and events.
struct Person: GraphRecord, Codable, Hashable {
  /// The xref in the file, such as `@I609@`.
  let id: String
  /// The place among the persons of the file; those who are added come after them.
  var number = 0
  var name: PersonName
  var sex: Sex = .unknown

  /// The husband of the family of birth; in spite of the name of whatever sex.
  var father: Ref<Person>?
  /// The wife of the family of birth.
  var mother: Ref<Person>?
  var familyOfBirth: Ref<Family>?
  /// Families of adoption or fostering, and those that a file gives beyond the first.
  var furtherFamilies: [Ref<Family>] = []

  /// The families in which the person is a husband or wife.
  var families: [Ref<Family>] = []
  var events: [Ref<Event>] = []

  // What events tell is noted here as well, for a query looks at the records of one type. No edit
  // changes an event, so both stay the same: see `Genealogy.noteLives`.

  /// The year of birth, negative before Christ; or of baptism.
  var born: Int?
  /// The year of death, negative before Christ; or of burial.
  var died: Int?
  var birthplace: Ref<Place>?

  var parents: [Ref<Person>] { [father, mother].compactMap(\.self) }

  /// What happened to a person goes with the person; relatives and families stay and lose the ref.
  static let relationships: Relationships<Person> = [
    .toOne(\.father), .toOne(\.mother), .toOne(\.familyOfBirth), .toMany(\.furtherFamilies),
    .toMany(\.families), .toMany(\.events, onDelete: .cascade), .toOne(\.birthplace),
  ]

  /// The first version had no years and no place of birth.
  static let recordVersion = 2
}
