import Kinship
import Testing

extension DocumentationExamples {
  @Test func refs() {
    let albert = Person(id: 42, name: "Albert", father: 7, events: ["birth-42"])
    let father: Ref<Person>? = albert.father
    let birth = Ref<Event>("birth-42")

    #expect(father?.id == 7)
    #expect(albert.events == [birth])
  }

  @Test func schema() async throws {
    let store = Self.family()

    let schema = try Schema(Person.self, Event.self, Place.self)
    let cache = GraphCache(schema: schema, store: store)

    #expect(schema.recordNames == ["Person", "Event", "Place"])
    #expect(try await cache.resolve(Ref<Place>(1)).name == "Rosenau")
  }
}
