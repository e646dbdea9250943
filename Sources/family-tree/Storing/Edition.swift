import Kinship

/// Which edition of a genealogy a store has, and of what size: the one record of its type.
///
/// Every change of the genealogy makes a new one, in the same transaction. So what was noted with
/// an edition holds as long as the store has that edition.
struct Edition: GraphRecord, Codable, Equatable, Versioned {
  static let only = Ref<Edition>(1)

  let id: Int
  /// Drawn anew with every change, since a store that is made again counts from the beginning
  /// again.
  private var mark = newMark()
  private var persons: Int
  private var families: Int
  private var events: Int
  private var places: Int
  var version = 0

  init(size: Archive.Size) {
    id = Self.only.id
    persons = size.persons
    families = size.families
    events = size.events
    places = size.places
  }

  /// What tells it from all others.
  var name: String { "\(mark).\(version)" }

  var size: Archive.Size {
    Archive.Size(persons: persons, families: families, events: events, places: places)
  }

  /// The edition after some changes, but for its version.
  ///
  /// A store can hold any numbers, so they wrap around instead of ending the program.
  func after(_ changes: ChangeSet) -> Edition {
    var next = self
    next.mark = Self.newMark()
    next.persons &+= changes.growth(of: Person.self)
    next.families &+= changes.growth(of: Family.self)
    next.events &+= changes.growth(of: Event.self)
    next.places &+= changes.growth(of: Place.self)
    return next
  }

  private static func newMark() -> String { String(UInt64.random(in: 0 ... .max), radix: 16) }
}

extension ChangeSet {
  /// How many more records of a type there are after it.
  fileprivate func growth<R: GraphRecord>(of type: R.Type) -> Int {
    inserted(type).count - deleted(type).count
  }
}
