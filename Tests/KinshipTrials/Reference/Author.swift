import Kinship
import KinshipTestSupport

/// A writer, with a to-one and a to-many relationship.
struct Author<ID: TestID>: LibraryRecord {
  let id: ID
  var value: Int
  var cost: Int
  var mentor: Ref<Author>?
  var works: [Ref<Work<ID>>]
  var witnessed = Witnessed()

  init(_ number: Int, _ entry: Entry) {
    id = .numbered(number)
    value = entry.value
    cost = entry.cost
    mentor = entry.one.map { Self.ref($0) }
    works = entry.many.map { Work<ID>.ref($0) }
  }

  var entry: Entry {
    Entry(value: value, cost: cost, one: mentor?.number, many: works.map(\.number))
  }

  /// The authors with this mentor, and the works that name the author.
  static var students: Inverse<Author, Author> { Inverse(\.mentor) }
  static var writings: Inverse<Author, Work<ID>> { Inverse(\.author) }

  var cacheCost: Int { cost }
  static var kind: Kind { .author }
  static var recordName: String { "Author" }
  static var relationships: Relationships<Author> {
    GenericStatics.value(of: self) { [.toOne(\.mentor), .toMany(\.works, onDelete: .cascade)] }
  }
  static var indexes: RecordIndexes<Author> {
    GenericStatics.value(of: self) { [.ordered(\.value)] }
  }
}
