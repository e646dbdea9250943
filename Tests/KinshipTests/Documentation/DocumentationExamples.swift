import Kinship
import Testing

/// The examples of README, articles and documentation comments, word for word.
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

  @Test func readme() async throws {
    struct Person: GraphRecord {
      let id: Int
      var name: String
      var father: Ref<Person>?
      var mother: Ref<Person>?
      static let relationships: Relationships<Person> = [.toOne(\.father), .toOne(\.mother)]
    }
    let store = MemoryStore([
      Person(id: 42, name: "Albert", father: 7),
      Person(id: 7, name: "Ernst", mother: 8),
      Person(id: 8, name: "Auguste", mother: 9),
      Person(id: 9, name: "Karoline", mother: 10),
      Person(id: 10, name: "Henriette"),
    ])
    let ref: Ref<Person> = 10
    func show(_ name: String) { #expect(name == "Henriette") }
    func showNothing() { Issue.record("there is a Henriette") }

    let cache = try GraphCache(for: Person.self, store: store, capacity: 10_000)
    let family = try await cache.graph(of: Ref<Person>(42), .generations(3))
    let grandmother = family.root.father?.mother?.name  // a plain value: no await, on any thread
    switch family[ref] {
    case .loaded(let person): show(person.name)
    case .unloaded(let ref): show(try await cache.resolve(ref).name)  // beyond the horizon
    case .missing: showNothing()
    }

    #expect(grandmother == "Auguste")
    #expect(family.horizon == [AnyRef(ref)])
  }
}

extension DocumentationExamples.Person {
  typealias Person = DocumentationExamples.Person

  static let children = Inverse<Person, Person>(\.father, \.mother)
}
