// Records of a module that does not import Kinship, as an article shows them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Kinship
public import PlainGenealogy

extension Person: GraphRecord {
  public var father: Ref<Person>? {
    get { fatherID.map { Ref($0) } }
    set { fatherID = newValue?.id }
  }

  public var events: [Ref<Event>] {
    get { eventIDs.map { Ref($0) } }
    set { eventIDs = newValue.map(\.id) }
  }

  public static let relationships: Relationships<Person> = [
    .toOne(\.father), .toMany(\.events, onDelete: .cascade),
  ]
  public static let indexes: RecordIndexes<Person> = [.hashed(\.fatherID)]
}

extension Event: GraphRecord {}
