import Kinship
import Testing

extension DocumentationExamples {
  @Test func `a ref holds a type and an id`() {
    let albert = Person(id: 42, name: "Albert", father: 7, events: ["birth-42"])
    let father: Ref<Person>? = albert.father
    let birth = Ref<Event>("birth-42")

    #expect(father?.id == 7)
    #expect(albert.events == [birth])
  }

  struct Message: GraphRecord {
    let id: Int
    var author: Ref<Person>?
    var replies: [Ref<Message>] = []
    var readBy: Set<Ref<Person>> = []

    static let relationships: Relationships<Message> = [
      .toOne(\.author), .toMany(\.replies, onDelete: .cascade), .ignored(\.readBy),
    ]
  }

  @Test func `a graph ignores a relationship that is not declared`() async throws {
    let cache = try GraphCache(for: Message.self, Person.self, Event.self, Place.self)
    try await cache.put(Message(id: 1, author: 42, readBy: [7]))
    let graph = try await cache.graph(of: Ref<Message>(1))
    #expect(!graph.horizon.contains(AnyRef(Ref<Person>(7))))
  }

  @Test func `a schema lists its record types`() async throws {
    let store = Self.family()

    let schema = try GraphSchema(Person.self, Event.self, Place.self)
    let cache = GraphCache(schema: schema, store: store)

    #expect(schema.types.map { $0.recordName } == ["Person", "Event", "Place"])
    #expect(try await cache.resolve(Ref<Place>(1)).name == "Rosenau")
  }
}
