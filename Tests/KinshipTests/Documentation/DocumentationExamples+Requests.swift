import Foundation
import Kinship
import Testing

/// The examples of requests and views.
@Suite
struct RequestExamples {
  struct Genre: GraphRecord {
    let id: Int
  }

  struct Artist: GraphRecord {
    let id: Int
    var name: String
  }

  struct Album: GraphRecord {
    let id: Int
    var artist: Ref<Artist>?

    static let relationships: Relationships<Album> = [.toOne(\.artist)]
  }

  struct Track: GraphRecord, Equatable {
    let id: Int
    var name: String
    var seconds: Int
    var genre: Ref<Genre>?
    var album: Ref<Album>?

    static let relationships: Relationships<Track> = [.toOne(\.genre), .toOne(\.album)]
  }

  struct Place: GraphRecord {
    let id: Int
    var name: String
  }

  struct Event: GraphRecord {
    let id: Int
    var title: String
    var place: Ref<Place>?

    static let relationships: Relationships<Event> = [.toOne(\.place)]
  }

  struct Person: GraphRecord {
    let id: Int
    var name: String
    var family: String
    var home: Ref<Place>?
    var father: Ref<Person>?
    var mother: Ref<Person>?
    var events: [Ref<Event>] = []

    static let relationships: Relationships<Person> = [
      .toOne(\.home), .toOne(\.father), .toOne(\.mother), .toMany(\.events),
    ]
    static let children = Inverse<Person, Person>(\.father, \.mother)
  }

  struct Household: Request {
    let place: Ref<Place>

    func find(in cache: GraphCache, _ options: ReadOptions) async throws -> [Person] {
      try await cache.find(people, options)
    }
    func peek(in cache: GraphCache) -> Known<ResultList<Person>> { cache.peek(people) }
    func changes(in cache: GraphCache) -> Changes<ResultList<Person>, ListDiff<Person>> {
      cache.observe(people)
    }
    private var people: RecordQuery<Person> {
      let home: Ref<Place>? = place
      return RecordQuery(#Predicate { $0.home == home })
    }
  }

  struct TrackRow: Equatable, Sendable {
    let title: String
    let artist: String?

    init(_ track: Node<Track>) {
      title = track.name
      artist = track.album?.artist?.name
    }
  }

  struct EventDTO: Equatable, Sendable {
    let title: String
    let place: String?

    init(_ event: Node<Event>) {
      title = event.title
      place = event.place?.name
    }
  }

  struct PersonDTO: Equatable, Sendable {
    let name: String
    let parents: [String]
    let events: [EventDTO]
    let children: Int

    init(_ person: Node<Person>) {
      name = person.name
      parents = [person.father?.name, person.mother?.name].compactMap(\.self)
      events = person.events.map(EventDTO.init)
      children = person[Person.children].count
    }
  }

  struct EventMessage: Decodable, RecordTree {
    let id: Int
    let title: String

    func root(adding nested: inout NestedRecords) -> Event { Event(id: id, title: title) }
  }

  struct PersonMessage: Decodable, RecordTree {
    let id: Int
    let name: String
    let family: String
    let parents: [PersonMessage]
    let events: [EventMessage]

    func root(adding nested: inout NestedRecords) -> Person {
      let parents = nested.add(contentsOf: parents)
      return Person(
        id: id, name: name, family: family, father: parents.first,
        mother: parents.dropFirst().first, events: nested.add(contentsOf: events))
    }
  }

  private static func music() throws -> GraphCache {
    let store = MemoryStore([
      Track(id: 1, name: "Echoes", seconds: 1_410, genre: 1, album: 1),
      Track(id: 2, name: "Yesterday", seconds: 125, genre: 1),
    ])
    store.insert([Album(id: 1, artist: 1)])
    store.insert([Artist(id: 1, name: "Pink Floyd")])
    return try GraphCache(
      for: Track.self, Album.self, Artist.self, Genre.self, store: store)
  }

  private static func people() throws -> GraphCache {
    let store = MemoryStore([
      Person(id: 42, name: "Albert", family: "Einstein", home: 1, father: 43, events: [1]),
      Person(id: 43, name: "Hermann", family: "Einstein"),
    ])
    store.insert([Event(id: 1, title: "birth", place: 1)])
    store.insert([Place(id: 1, name: "Ulm")])
    return try GraphCache(for: Person.self, Event.self, Place.self, store: store)
  }

  @MainActor @Test func `find, peek, observe and Live answer the same query`() async throws {
    let cache = try Self.music()
    let rockGenre = Ref<Genre>(1)

    let rock = RecordQuery<Track>(#Predicate { $0.genre == rockGenre }).sorted(by: \.name)
    let tracks = try await cache.find(rock)  // asks the store for what memory does not know
    let known = cache.peek(rock).value  // what memory knows, at once
    let list = Live(cache, rock)  // follows the changes
    #expect(tracks.map(\.id) == [1, 2] && known.map(Array.init) == tracks)
    #expect(Array(list.value) == tracks)

    let number = Live(cache, rock.count, startingWith: 0)
    while number.isLoading { await Task.yield() }
    #expect(number.value == 2)

    let seconds = try await cache.find(RecordQuery<Track>().sum(of: \.seconds))
    #expect(seconds == 1_535)
  }

  @Test func `read options choose freshness and the source of the answer`() async throws {
    let cache = try Self.people()
    let (ref, query) = (Ref<Person>(42), RecordQuery<Person>())

    let young = try await cache.find(ref, .within(.seconds(60)))
    let inMemory = try await cache.find(query, .memoryOnly)
    let soon = try await cache.find(query, ReadOptions(deadline: .seconds(30)))
    #expect(young?.name == "Albert" && inMemory.count == 1 && soon.count == 2)

    let father = try await cache.find(ref.related(\.father))
    let count = try await cache.find(query.count, .memoryOnly)
    #expect(father.map(\.name) == ["Hermann"] && count == 2)

    let events = try await cache.find(ref.related(\.events))
    let children = try await cache.find(Ref<Person>(43).related(Person.children))
    #expect(events.map(\.title) == ["birth"] && children.map(\.id) == [42])

    let names = { (family: Graph<Person>) in family.root.name }
    let refs = [Ref<Person>(42), Ref<Person>(43)]
    for family in try await cache.find(refs.graphs(.generations(3))).compactMap(\.self) {
      #expect(!names(family).isEmpty)
    }

    let families = try await cache.find(RecordQuery<Person>().sections(by: \.family))
    #expect(families.map(\.key) == ["Einstein"])
    #expect(try await cache.find(Household(place: 1)).map(\.id) == [42])
  }

  @Test func `a read can show a stale value while it revalidates`() async throws {
    let cache = try Self.people()
    let ref = Ref<Person>(42)

    let demand = Freshness.staleWhileRevalidating(after: .seconds(60))
    let shown = try await cache.find(ref.dated, .fresh(demand))
    #expect(shown?.value.name == "Albert" && shown?.isStale == false)
  }

  @Test func `several requests have one version`() async throws {
    let cache = try Self.people()
    let ref = Ref<Person>(43)

    let (person, children, count) = try await cache.find(
      Together(ref, ref.related(Person.children), RecordQuery<Person>().count))
    #expect(person?.name == "Hermann" && children.map(\.id) == [42] && count == 2)

    let kept = try await cache.keepAnswer(to: RecordQuery<Person>().sorted(by: \.name))
    #expect(cache.peek(RecordQuery<Person>().sorted(by: \.name)).value?.count == 2)
    withExtendedLifetime(kept) {}
  }

  @Test func `a nested message is split into records`() async throws {
    let json = """
      {"id": 1, "name": "Albert", "family": "Einstein", "events": [{"id": 7, "title": "birth"}],
       "parents": [{"id": 2, "name": "Hermann", "family": "Einstein", "events": [], "parents": []},
                   {"id": 3, "name": "Pauline", "family": "Koch", "events": [], "parents": []}]}
      """
    let data = Data(json.utf8)
    let cache = try GraphCache(for: Person.self, Event.self, Place.self)

    let message = try JSONDecoder().decode(PersonMessage.self, from: data)
    let person = try await cache.put(nested: [message])[0]
    let card = try await cache.find(person.view(PersonDTO.init))
    #expect(card?.parents == ["Hermann", "Pauline"] && card?.events.map(\.title) == ["birth"])

    let other = try GraphCache(for: Person.self, Event.self, Place.self, store: MemoryStore())
    try await other.write { tx throws(KinshipError) in
      _ = try tx.put(nested: [message])
    }
    #expect(try await other.find(Ref<Person>(2))?.name == "Hermann")

    let answer = FetchedGraph(nested: [message])
    #expect(answer.records.map(\.id) == [1] && answer.related(Person.self).map(\.id) == [2, 3])
    #expect(answer.related(Event.self).map(\.id) == [7])
  }

  @MainActor @Test func `a view of a query joins records and follows their changes`() async throws {
    let music = try Self.music()
    let sorted = RecordQuery<Track>().sorted(by: \.name)

    let rows = try await music.find(sorted.view(TrackRow.init))
    let list = Live(music, sorted.view(TrackRow.init))
    #expect(rows.map(\.artist) == ["Pink Floyd", nil])
    #expect(Array(list.value) == rows)

    let cache = try Self.people()
    let ref = Ref<Person>(42)
    let person = try await cache.find(ref.view(PersonDTO.init))
    #expect(person?.parents == ["Hermann"] && person?.events.map(\.place) == ["Ulm"])

    var changes = cache.observe(ref.view(PersonDTO.init)).makeAsyncIterator()
    _ = try await changes.next()
    try await cache.write { tx in try tx.update(Ref<Place>(1), \.name, to: "Ulm, Württemberg") }
    #expect(try await changes.next()?.value?.events.first?.place == "Ulm, Württemberg")
  }
}
