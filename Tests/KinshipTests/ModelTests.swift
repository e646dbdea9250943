import Kinship
import Testing

struct Person: Record, Equatable {
  let id: Int
  var name: String
  var father: Ref<Person>?
  var mother: Ref<Person>?
  var events: [Ref<Event>] = []
  static let relationships: Relationships<Person> = [
    .toOne(\.father), .toOne(\.mother), .toMany(\.events),
  ]
}
struct Event: Record, Equatable {
  let id: Int
  var place: Ref<Place>?
  static let relationships: Relationships<Event> = [.toOne(\.place)]
}
struct Place: Record, Equatable {
  let id: Int
  var name: String
}

@Test func smoke() async throws {
  let store = MemoryStore()
  store.insert([
    Person(id: 1, name: "A", father: 2, mother: 3, events: [1, 2]),
    Person(id: 2, name: "B", father: 4), Person(id: 3, name: "C", father: 4, mother: 9),
    Person(id: 4, name: "D", father: 1),
  ])
  store.insert([Event(id: 1, place: 1), Event(id: 2, place: 2)])
  store.insert([Place(id: 1, name: "X")])
  let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store, capacity: 3)
  let graph = try await cache.graph(of: 1, Plan<Person>.following(\.father, \.mother, generations: 3).including(\.events).including(\Event.place))
  print(graph)
  print(graph.root.father?.father?.name as Any, graph.root.events.first?.place?.name as Any)
  print(graph.dot(), graph.mermaid())
  print(cache.debugDescription, await cache.audit())
  print(graph.debugDescription)
  #expect(graph.root.father?.father?.father?.id == 1)
  let light = try await cache.graph(of: Ref<Person>(1), .generations(1))
  print(light)
  #expect(try await cache.resolve(Ref<Person>(2)).name == "B" as String)
  let all = try await cache.find([1, 2, 3, 4, 5] as [Ref<Person>])
  #expect(all.map { $0?.name } == ["A", "B", "C", "D", nil])
  print(try await cache.expand(light, from: Ref<Person>(2), .generations(1)))
  #expect(await cache.audit() == [])
  print(cache.statistics)
}
@Test func dbg() async throws {
  let store = MemoryStore()
  store.insert([Person(id: 1, name: "A", father: 2, mother: 3, events: []), Person(id: 2, name: "B", father: nil), Person(id: 3, name: "C")])
  let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store, capacity: 1)
  _ = try await cache.find([1, 2, 3, 4, 5] as [Ref<Person>])
  print("A", cache.debugDescription)
  _ = try await cache.graph(of: Ref<Person>(1), .generations(0))
  print("B", cache.debugDescription)
  _ = try await cache.graph(of: Ref<Person>(1), .generations(1))
  print("C", cache.debugDescription)
}
