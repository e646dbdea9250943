import Kinship
import KinshipSync
import KinshipTiers
import KinshipTesting
import KinshipTestSupport
import Testing

extension DocumentationExamples {
  struct FamilyAPI {
    func people(_ ids: [Int]) async throws -> [Person] {
      ids.filter { $0 == 42 }.map { Person(id: $0, name: "Albert", events: ["birth-42"]) }
    }

    func events(_ ids: [String]) async throws -> [Event] {
      ids.filter { $0 == "birth-42" }.map { Event(id: $0, year: 1819, place: 1) }
    }

    func places() async throws -> [Place] { [Place(id: 1, name: "Rosenau")] }

    func send(_ changes: ChangeSet) async throws {
      #expect(changes.deleted(Place.self).map(\.id) == [1])
    }
  }

  @Test func `a closure store fetches, applies and detects outages`() async throws {
    let api = FamilyAPI()
    do {
      let store = ClosureStore()
        .fetching(Person.self) { ids in try await api.people(ids) }
        .fetching(Event.self) { ids in try await api.events(ids) }
      let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
      let family = try await cache.graph(of: Ref<Person>(42), .generations(1))
      #expect(family.root.events.first?.year == 1819)
    }
    do {
      let store = ClosureStore()
        .fetchingAll(Place.self) { try await api.places() }
        .applying { changes in try await api.send(changes) }
      let cache = try GraphCache(for: Place.self, store: store)
      #expect(try await cache.find(RecordQuery<Place>().sorted(by: \.name)).map(\.id) == [1])
      let changes = try await cache.write { tx in try tx.delete(Ref<Place>(1)) }
      #expect(changes.count == 1)
    }
    let store = ClosureStore()
      .fetchingAll(Place.self) { try await api.places() }
    #expect(try await store.fetch(Place.self, ids: [1, 2]).map(\.name) == ["Rosenau"])
    let reachable = store.offline(when: { $0 is ConnectionLost })
    #expect(reachable.isOutage(ConnectionLost()) && !store.isOutage(ConnectionLost()))
  }

  struct FamilyStore: BackingStore {
    let api: FamilyAPI

    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      switch type {
      case is Person.Type: try await records(ids, from: api.people)
      case is Event.Type: try await records(ids, from: api.events)
      default: throw KinshipError.invalidSchema(.unknownType(R.recordName))
      }
    }

    /// `T` is `R`: the switch ensures it, and the casts show it to the compiler.
    private func records<R: GraphRecord, T: GraphRecord>(
      _ ids: [R.ID], from source: ([T.ID]) async throws -> [T]
    ) async throws -> [R] {
      guard let ids = ids as? [T.ID], let records = try await source(ids) as? [R] else {
        throw KinshipError.invalidSchema(.unknownType(R.recordName))
      }
      return records
    }
  }

  struct Image: GraphRecord {
    let id: Int
    var person: Ref<Person>

    static let relationships: Relationships<Image> = [.toOne(\.person, onTargetDelete: .cascade)]
  }

  struct Thumbnail: GraphRecord {
    let id: Int
  }

  @Test func `a routed store sends each type to its own store`() async throws {
    let database = Self.family()
    let images = MemoryStore([Image(id: 1, person: 8)])
    let store = RoutedStore(default: database)
      .routing(Image.self, Thumbnail.self, to: images)
    let cache = try GraphCache(
      for: Person.self, Event.self, Place.self, Image.self, Thumbnail.self, store: store)
    let image = try await cache.graph(of: Ref<Image>(1), .generations(1))
    #expect(image.root.person?.name == "Auguste")
    await #expect(throws: KinshipError.self) {
      try await cache.write { tx in try tx.delete(Ref<Person>(8)) }
    }
    #expect(images.count(of: Image.self) == 1)
  }

  @Test func `a cache that follows a store drops records others changed`() async throws {
    let store = LoggedStore(Self.family())
    let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
    let ref = Ref<Person>(42)
    do {
      let following = cache.follow(store)
      print(following.status)  // .following(asOf:), .behind(by:), .lost(since:cause:)
    }
    #expect(try await cache.resolve(ref).name == "Albert")
    store.put(Person(id: 42, name: "Prince Albert"))
    let following = cache.follow(store)
    // Another process commits.
    try await store.catchUp()
    let person = try await cache.resolve(ref)  // as the other process has made it
    #expect(person.name == "Prince Albert")
    following.end()
  }

  @Test func `a memory store and a cache answer the same query`() async throws {
    let store = Self.family()
    let firstTwenty = RecordQuery<Person>().sorted(by: \.name).limited(to: 20)
    let persons = try await store.fetch(firstTwenty)
    #expect(persons.map(\.name) == ["Albert", "Auguste", "Ernst"])
    let cache = try Self.cache(store)
    do {
      let firstTwenty = RecordQuery<Person>().sorted(by: \.name).limited(to: 20)
      let persons = try await cache.find(firstTwenty)
      #expect(persons.map(\.name) == ["Albert", "Auguste", "Ernst"])
    }
  }

  struct CopyingStore: ForwardingStore {
    let base: any BackingStore
    let places: [Place]

    func copies<R: GraphRecord>(
      of type: R.Type, ids: [R.ID], within limit: Duration
    ) -> [(record: R, age: Duration)] {
      (places as? [R] ?? []).filter { ids.contains($0.id) }.map { ($0, limit) }
    }

    /// Answers with records that it has fetched before, if the reader allows their age.
    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      let copies = copies(of: type, ids: ids, within: AnswerAges.limit ?? .seconds(60))
      AnswerAges.note(copies.map { ($0.record.ref, age: $0.age) })
      let known = Set(copies.map { $0.record.id })
      let others = try await base.fetch(type, ids: ids.filter { !known.contains($0) })
      return copies.map(\.record) + others
    }
  }

  @Test func `a store reports the age of its copies`() async throws {
    let (old, new) = (Place(id: 1, name: "Rosenau"), Place(id: 2, name: "Osborne"))
    let store = CopyingStore(base: MemoryStore([new]), places: [old])
    #expect(try await store.fetch(Place.self, ids: [1, 2]).map(\.id) == [1, 2])
  }

  struct ConnectionLost: Error {}

  /// Asks another store once more when the connection was lost.
  struct RetryingStore: ForwardingStore {
    let base: any BackingStore

    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      do {
        return try await base.fetch(type, ids: ids)
      } catch is ConnectionLost {
        return try await base.fetch(type, ids: ids)
      }
    }
  }

  typealias MyStore = MemoryStore

  @Test(arguments: StoreConformance.Check.allCases)
  func myStoreConforms(to check: StoreConformance.Check) async throws {
    try await StoreConformance { contents in
      let store = MyStore()
      try await store.apply(contents.insertions)
      return store
    }.run(check)
  }

  /// A row that is a person, or none.
  struct Row<R: GraphRecord> {
    let id: R.ID
    let isLegible: Bool

    func record() throws -> R {
      guard isLegible, let id = id as? Int,
        let person = Person(id: id, name: "Person \(id)", father: Ref(id + 1)) as? R
      else { throw Offline() }
      return person
    }
  }

  /// The second of the rows 1, 2 and 3 is unreadable.
  struct RowStore: BackingStore {
    private func rows<R: GraphRecord>(_ type: R.Type, _ ids: [R.ID]) async throws -> [Row<R>] {
      ids.filter { ([1, 2, 3] as [AnyHashable]).contains(AnyHashable($0)) }.map {
        Row(id: $0, isLegible: AnyHashable($0) != AnyHashable(2))
      }
    }

    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      var records: [R] = []
      var failures: [PartialAnswer<R>.Failure] = []
      for row in try await rows(type, ids) {
        do {
          records.append(try row.record())
        } catch {
          failures.append(.init(Ref(row.id), cause: error))
        }
      }
      return try PartialAnswer(records, failures: failures).get()
    }

    func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      try await fetch(R.self, ids: [1, 2, 3] as? [R.ID] ?? [])
    }
  }

  @Test func `a partial result keeps the readable records`() async throws {
    let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: RowStore())
    let lines = Lock<[String]>([])
    @Sendable func log(_ line: String) { lines.withLock { $0.append(line) } }

    let people = try await cache.find(
      RecordQuery<Person>().sorted(by: \.name), .partial { log("Left out: \($0)") })

    #expect(people.map(\.name) == ["Person 1", "Person 3"])
    #expect(lines.withLock(\.self) == ["Left out: Fetching Person 2 failed: Offline()."])
    let one = try await cache.find([1, 3, 4] as [Ref<Person>])
    #expect(one.map { $0?.id } == [1, 3, nil])
    await #expect(throws: KinshipError.self) { try await cache.resolve(Ref<Person>(2)) }
  }

  @Test func `a partial graph names each unreadable record`() async throws {
    let store = Self.family()
    let script = StoreScript.always(StoreBehavior(unreadable: [AnyRef(Ref<Person>(8))]))
    let cache = try GraphCache(
      for: Person.self, Event.self, Place.self, store: ScriptedStore(over: store, script: script))
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }

    let family = try await cache.find(Ref<Person>(42).graph(.generations(3)), .partial)
    for (ref, error) in family.failures {
      show("\(ref) is left out: \(error)")
    }

    #expect(
      shown == [
        "Person(8) is left out: Fetching Person 8 failed: Person(8) is unreadable by script."
      ])
  }

  @Test func `a custom store with retries serves a graph`() async throws {
    let store = RetryingStore(base: FamilyStore(api: FamilyAPI()))
    let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
    let family = try await cache.graph(of: Ref<Person>(42), .generations(1))
    #expect(family.root.events.first?.year == 1819)
    #expect(try await cache.find(Ref<Person>(7)) == nil)
    await #expect(throws: KinshipError.self) { try await cache.find(Ref<Place>(1)) }
  }

  @Test func `a cache is notified of changes made directly in the store`() async throws {
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
