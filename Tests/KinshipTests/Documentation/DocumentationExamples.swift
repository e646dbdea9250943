import Kinship
import Testing

/// The examples of README, articles and documentation comments, verbatim.
///
/// ``DocumentationTests`` holds both to be the same.
struct DocumentationExamples {
  struct Person: GraphRecord {
    let id: Int
    var name: String
    var father: Ref<Person>?
    var mother: Ref<Person>?
    var events: [Ref<Event>] = []

    static let relationships: Relationships<Person> = [
      .toOne(\.father), .toOne(\.mother), .toMany(\.events),
    ]
  }

  struct Event: GraphRecord {
    let id: String
    var year: Int
    var place: Ref<Place>?

    static let relationships: Relationships<Event> = [.toOne(\.place)]
  }

  struct Place: GraphRecord {
    let id: Int
    var name: String
  }

  static func family() -> MemoryStore {
    let store = MemoryStore()
    store.insert([
      Person(id: 42, name: "Albert", father: 7, events: ["birth-42"]),
      Person(id: 7, name: "Ernst", mother: 8),
      Person(id: 8, name: "Auguste"),
    ])
    store.insert([Event(id: "birth-42", year: 1819, place: 1)])
    store.insert([Place(id: 1, name: "Rosenau")])
    return store
  }

  static func cache(_ store: MemoryStore = family()) throws -> GraphCache {
    try GraphCache(for: Person.self, Event.self, Place.self, store: store)
  }
}

extension DocumentationExamples.Person {
  typealias Person = DocumentationExamples.Person

  static let children = Inverse<Person, Person>(\.father, \.mother)
}
