import Kinship
import Testing

extension DocumentationExamples {
  struct FamilyAPI {
    func people(_ ids: [Int]) async throws -> [Person] {
      ids.filter { $0 == 42 }.map { Person(id: $0, name: "Albert", events: ["birth-42"]) }
    }

    func events(_ ids: [String]) async throws -> [Event] {
      ids.filter { $0 == "birth-42" }.map { Event(id: $0, year: 1819, place: 1) }
    }
  }

  struct FamilyStore: BackingStore {
    let api: FamilyAPI

    func fetch<R: Record>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      switch type {
      case is Person.Type: try await records(ids, from: api.people)
      case is Event.Type: try await records(ids, from: api.events)
      default: throw KinshipError.unknownType(R.recordName)
      }
    }

    /// `T` is `R`: the switch has seen to it, and the casts tell the compiler.
    private func records<R: Record, T: Record>(
      _ ids: [R.ID], from source: ([T.ID]) async throws -> [T]
    ) async throws -> [R] {
      guard let ids = ids as? [T.ID], let records = try await source(ids) as? [R] else {
        throw KinshipError.unknownType(R.recordName)
      }
      return records
    }
  }

  @Test func queries() async throws {
    let store = Self.family()
    let firstTwenty = Query<Person>().sorted(by: \.name).sorted(by: \.id).limited(to: 20)
    let persons = try await store.fetch(firstTwenty)
    #expect(persons.map(\.name) == ["Albert", "Auguste", "Ernst"])
    let cache = try Self.cache(store)
    do {
      let firstTwenty = Query<Person>().sorted(by: \.name).sorted(by: \.id).limited(to: 20)
      let persons = try await cache.find(firstTwenty)
      #expect(persons.map(\.name) == ["Albert", "Auguste", "Ernst"])
    }
  }

  struct ConnectionLost: Error {}

  /// Asks another store once more when the connection was lost.
  struct RetryingStore: BackingStore {
    let store: any BackingStore

    func fetch<R: Record>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      do {
        return try await store.fetch(type, ids: ids)
      } catch is ConnectionLost {
        return try await store.fetch(type, ids: ids)
      }
    }
  }

  @Test func writingAStore() async throws {
    let store = RetryingStore(store: FamilyStore(api: FamilyAPI()))
    let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
    let family = try await cache.graph(of: Ref<Person>(42), .generations(1))
    #expect(family.root.events.first?.year == 1819)
    #expect(try await cache.find(Ref<Person>(7)) == nil)
    await #expect(throws: KinshipError.self) { try await cache.find(Ref<Place>(1)) }
  }

  @Test func changingTheStore() async throws {
    let store = Self.family()
    let cache = try Self.cache(store)

    let renamed = Person(id: 42, name: "Prince Albert", father: 7, events: ["birth-42"])
    store.insert([renamed])
    try await cache.put(renamed)

    store.remove(Ref<Person>(8))
    await cache.remove(Ref<Person>(8))

    let family = try await cache.graph(of: Ref<Person>(42), .generations(2))
    #expect(family.root.name == "Prince Albert")
    #expect(family.missing == [AnyRef(Ref<Person>(8))])
  }
}
