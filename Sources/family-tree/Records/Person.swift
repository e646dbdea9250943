import Kinship
import KinshipProgram

/// A person, with refs to their parents, families and events.
struct Person: GraphRecord, Codable, Hashable {
  /// The xref in the file, such as `@I609@`.
  let id: String
  /// The position among the persons of the file; added persons follow.
  var number = 0
  private(set) var fullName: String
  private(set) var surname: String
  var sex: Sex = .unknown

  /// The husband of the family of birth, who may be of any sex.
  var father: Ref<Person>?
  /// The wife of the family of birth.
  var mother: Ref<Person>?
  var familyOfBirth: Ref<Family>?
  /// Families of adoption or fostering, and those that a file gives beyond the first.
  var furtherFamilies: [Ref<Family>] = []

  var families: [Ref<Family>] = []
  var events: [Ref<Event>] = []

  // A query looks at the records of one type, so a person repeats what the events say. No edit
  // changes an event, so both stay the same: see `Genealogy.noteLives`.

  /// The year of birth, negative before Christ; or of baptism.
  var born: Int?
  /// The year of death, negative before Christ; or of burial.
  var died: Int?
  var birthplace: Ref<Place>?

  var name: PersonName {
    get { PersonName(full: fullName, surname: surname) }
    set { (fullName, surname) = (newValue.full, newValue.surname) }
  }

  init(id: String, number: Int = 0, name: PersonName, sex: Sex = .unknown) {
    (self.id, self.number, self.sex) = (id, number, sex)
    (fullName, surname) = (name.full, name.surname)
  }

  var parents: [Ref<Person>] { [father, mother].compactMap(\.self) }

  /// The events of a person are deleted with the person; relatives and families lose the ref.
  static let relationships: Relationships<Person> = [
    .toOne(\.father), .toOne(\.mother), .toOne(\.familyOfBirth), .toMany(\.furtherFamilies),
    .toMany(\.families), .toMany(\.events, onDelete: .cascade), .toOne(\.birthplace),
  ]

  /// The first version had no years and no place of birth.
  static let recordVersion = 2
}

/// A person's sex, by the letters of GEDCOM.
enum Sex: String, Codable, Sendable {
  case male = "M"
  case female = "F"
  case other = "X"
  case unknown = "U"
}

/// A name, in its forms for reading and for sorting.
struct PersonName: Hashable, Sendable {
  /// `John Doe`; empty if the name is not known.
  let full: String
  /// `Doe`; empty if there is none.
  let surname: String

  init(full: String, surname: String = "") {
    self.full = full
    self.surname = surname
  }

  /// Parses a name in GEDCOM's form, in which slashes enclose the surname: `John /Doe/ Jr.`.
  ///
  /// Old programs keep words together by underscores: `Edward_VII`. A name without slashes has
  /// the surname that is given beside it.
  init(gedcom text: String, surname: String = "") {
    let text = text.replacing("_", with: " ")
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    full = parts.joined(separator: " ").readable
    self.surname = parts.count > 1 ? String(parts[1]).readable : surname
  }

  /// The name, or a text for an unknown name.
  var display: String { full.isEmpty ? "(no name)" : full }
}

/// A couple and their children.
struct Family: GraphRecord, Codable, Hashable {
  /// The xref in the file, such as `@F1@`.
  let id: String
  var husband: Ref<Person>?
  var wife: Ref<Person>?
  var children: [Ref<Person>] = []
  var events: [Ref<Event>] = []

  var partners: [Ref<Person>] { [husband, wife].compactMap(\.self) }

  /// A family with children cannot be deleted, because it names their parents.
  ///
  /// The events of a family are deleted with it; its members lose the ref.
  static let relationships: Relationships<Family> = [
    .toOne(\.husband), .toOne(\.wife), .toMany(\.children, onDelete: .deny),
    .toMany(\.events, onDelete: .cascade),
  ]
}
