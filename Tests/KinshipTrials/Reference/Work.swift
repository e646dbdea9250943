import Kinship
import KinshipTestSupport

/// A written work, with a to-one relationship to exactly one record, and a to-many one.
struct Work<ID: TestID>: LibraryRecord {
  let id: ID
  var value: Int
  var cost: Int
  var author: Ref<Author<ID>>
  var sequels: [Ref<Work>]
  var witnessed = Witnessed()

  init(_ number: Int, _ entry: Entry) {
    id = .numbered(number)
    value = entry.value
    cost = entry.cost
    author = Author<ID>.ref(entry.one ?? 0)
    sequels = entry.many.map { Self.ref($0) }
  }

  var entry: Entry {
    Entry(value: value, cost: cost, one: author.number, many: sequels.map(\.number))
  }

  /// The authors that name it, and the works that it is a sequel of.
  static var claimants: Inverse<Work, Author<ID>> { Inverse(\.works) }
  static var prequels: Inverse<Work, Work> { Inverse(\.sequels) }

  var cacheCost: Int { cost }
  static var kind: Kind { .work }
  static var recordName: String { "Work" }
  static var relationships: Relationships<Work> {
    GenericStatics.value(of: self) {
      [.toOne(\.author, onTargetDelete: .cascade), .toMany(\.sequels, onDelete: .deny)]
    }
  }
  static var indexes: RecordIndexes<Work> {
    GenericStatics.value(of: self) { [.ordered(\.value)] }
  }
}
