import Kinship
import KinshipTesting
import KinshipTestSupport
import KinshipTestTraits
import Testing

@Suite(.boundedWaits, .tags(.lawV2, .lawV3))
struct ViewTests {
  private struct EventCard: Equatable, Sendable {
    let title: String
    let place: String?

    init(_ event: Node<TestEvent>) {
      title = event.title
      place = event.place?.name
    }
  }

  private struct PersonCard: Equatable, Sendable {
    let name: String
    let father: String?
    let grandmother: String?
    let events: [EventCard]

    init(_ person: Node<TestPerson>) {
      name = person.name
      father = person.father?.name
      grandmother = person.father?.mother?.name
      events = person.events.map(EventCard.init)
    }
  }

  private static func store() -> MemoryStore {
    let store = MemoryStore([
      TestPerson(id: 1, name: "Albert", father: 2, events: [10, 11]),
      TestPerson(id: 2, name: "Hermann", mother: 3), TestPerson(id: 3, name: "Helene"),
      TestPerson(id: 4, name: "Eduard", father: 1),
    ])
    store.insert([
      TestEvent(id: 10, title: "birth", person: 1, place: 20),
      TestEvent(id: 11, title: "death", person: 1, place: nil),
    ])
    store.insert([TestPlace(id: 20, name: "Ulm", region: nil)])
    return store
  }

  private static func cache(_ store: any BackingStore) throws -> GraphCache {
    try GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self, store: store)
  }

  @Test
  func `a view may nest structs`() async throws {
    let store = ScriptedStore(over: Self.store())
    let cache = try Self.cache(store)
    let card = try #require(try await cache.find(Ref<TestPerson>(1).view(PersonCard.init)))
    #expect(card.name == "Albert" && card.father == "Hermann" && card.grandmother == "Helene")
    #expect(card.events.map(\.title) == ["birth", "death"])
    #expect(card.events.map(\.place) == ["Ulm", nil])
    // Albert; his father and events; his grandmother and the place.
    #expect(store.calls.count == 5)
    #expect(!cache.contains(Ref<TestPerson>(4)))
    _ = try await cache.find(Ref<TestPerson>(1).view(PersonCard.init))
    #expect(store.calls.count == 5)
  }

  @Test
  func `a view of a missing record is nil`() async throws {
    let cache = try Self.cache(Self.store())
    #expect(try await cache.find(Ref<TestPerson>(99).view { $0.name }) == nil)
    let names = try await cache.find([Ref<TestPerson>(1), 99, 1].view { $0.name })
    #expect(names == ["Albert", nil, "Albert"])
    #expect(try await cache.find([Ref<TestPerson>]().view { $0.name }) == [])
  }

  @Test
  func `a cache learns the plan of a view`() async throws {
    let store = ScriptedStore(over: Self.store(), followsPlans: true)
    let cache = try Self.cache(store)
    for round in 0..<3 {
      let before = store.followedPlans
      let card = try await cache.find(Ref<TestPerson>(1).view(PersonCard.init))
      #expect(card?.grandmother == "Helene")
      if round > 0 { #expect(store.followedPlans > before) }
      await cache.removeAll()
    }
  }

  @Test
  func `a view can be peeked at`() async throws {
    let cache = try Self.cache(Self.store())
    let request = Ref<TestPerson>(1).view { "\($0.name), \($0.father?.name ?? "?")" }
    #expect(cache.peek(request) == .unknown)
    _ = try await cache.find(Ref<TestPerson>(1))
    #expect(cache.peek(request) == .partial("Albert, ?"))
    _ = try await cache.find(Ref<TestPerson>(2))
    #expect(cache.peek(request) == .complete("Albert, Hermann"))
  }

  @Test
  func `a view of many rows in memory computes each of them once`() async throws {
    let people = (1...1_000).map { TestPerson(id: $0, name: "\($0)", father: Ref($0 + 1)) }
    let cache = try GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self)
    try await cache.put(contentsOf: people)
    let runs = Lock(0)
    let rows = cache.peek(
      people.map(\.ref).view { person in
        runs.withLock { $0 += 1 }
        return person.father?.father?.name ?? "nobody"
      })
    #expect(rows.value?.count == 1_000 && rows.value?[0] == "3")
    // A few rows show the plan, and debug builds compute one row of each round twice.
    #expect(runs.withLock { $0 } < 1_050)
  }

  /// Rows in memory stay there while others load; otherwise each would evict the next.
  @Test(arguments: [0, 5, 11])
  func `a view loads more rows than the capacity together, during a commit`(
    capacity: Int
  ) async throws {
    let people = (0..<12).map { TestPerson(id: $0, name: "\($0)") }
    let store = ScriptedStore(over: MemoryStore(people))
    let cache = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: store, capacity: capacity)
    let rows = RecordQuery<TestPerson>().sorted(by: \.id).view { $0.name }
    _ = try await cache.find(rows)
    let gate = Gate()
    store.follow(
      StoreScript { call, _ in
        call.kind == .apply ? StoreBehavior(pause: .gate(gate)) : StoreBehavior()
      })
    let write = try await cache.writeOptimistically { tx throws(KinshipError) in
      try tx.update(Ref<TestPerson>(2), \.name, to: "Elsa")
    }
    let before = store.calls.count
    let names = try await cache.find(rows)
    #expect(Array(names) == people.map { $0.id == 2 ? "Elsa" : $0.name })
    // The commit, the query, and the rows that memory could not keep: for the query and the view.
    #expect(store.calls.count <= before + 4, "\(store.calls.dropFirst(before))")
    gate.open()
    _ = try await write.outcome()
  }

  @Test
  func `an observed view reruns only for its records`() async throws {
    let cache = try Self.cache(Self.store())
    let runs = Lock<[String]>([])
    let query = RecordQuery<TestPerson>().sorted(by: \.id)
    let view = query.view { person -> String in
      let text = "\(person.name) of \(person.father?.name ?? "nobody")"
      runs.withLock { $0.append(person.name) }
      return text
    }
    var changes = cache.observe(view).makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(
      Array(first.value) == [
        "Albert of Hermann", "Hermann of nobody", "Helene of nobody", "Eduard of Albert",
      ])
    runs.withLock { $0 = [] }
    // The views read neither the mother nor the place.
    try await cache.write { tx throws(KinshipError) in
      try tx.update(Ref<TestPerson>(4), \.mother, to: 3)
      try tx.update(Ref<TestEvent>(11), \.title, to: "end")
    }
    try await cache.write { tx throws(KinshipError) in
      try tx.update(Ref<TestPerson>(2), \.name, to: "Hermann Einstein")
    }
    let second = try #require(try await changes.next())
    #expect(second.diff.updated.map(\.position) == [0, 1])
    #expect(second.diff.updated.first?.new == "Albert of Hermann Einstein")
    #expect(Set(runs.withLock { $0 }) == ["Albert", "Hermann Einstein"])
  }

  @Test func `debug builds detect a view function that is not pure`() async throws {
    let cache = try Self.cache(Self.store())
    let runs = Lock(0)
    let view = Ref<TestPerson>(1).view { person in
      runs.withLock { runs in
        runs += 1
        return "\(person.name) \(runs)"
      }
    }
    #if DEBUG
      await #expect {
        try await cache.find(view)
      } throws: { error in
        if case .misuse(.impureView("TestPerson"))? = error as? KinshipError { true } else { false }
      }
    #else
      #expect(try await cache.find(view) != nil)
    #endif
    // Not equal to itself, and yet the same.
    let number = try await cache.find(Ref<TestPerson>(1).view { _ in Double.nan })
    #expect(number?.isNaN == true)
  }

  @Test
  func `a view fails with the error of a load`() async throws {
    struct Failure: Error {}
    let store = ScriptedStore(
      over: Self.store(), script: .plain.onCall(1, StoreBehavior(failure: Failure())))
    let cache = try Self.cache(store)
    await #expect(throws: KinshipError.self) {
      try await cache.find(Ref<TestPerson>(1).view(PersonCard.init))
    }
    #expect(try await cache.find(Ref<TestPerson>(1).view(PersonCard.init))?.father == "Hermann")
  }

  @Test
  func `an observed view fails with its load and continues`() async throws {
    struct Failure: Error {}
    let memory = Self.store()
    let store = ScriptedStore(over: memory)
    let cache = try Self.cache(store)
    let query = RecordQuery<TestPerson>().sorted(by: \.id)
    let view = query.view { "\($0.name), \($0.events.map(\.title).joined())" }
    var changes = cache.observe(view).makeAsyncIterator()
    _ = try await changes.next()
    await cache.invalidate(Ref<TestEvent>(10))
    try await cache.put(TestPerson(id: 5, name: "Maja", events: [12]))
    store.follow(.always(StoreBehavior(failure: Failure())))
    await #expect(throws: KinshipError.self) { try await changes.next() }
    store.follow(.plain)
    memory.insert([
      TestEvent(id: 10, title: "rebirth", person: 1, place: 20),
      TestEvent(id: 12, title: "birth", person: 5, place: 20),
    ])
    let change = try #require(try await changes.next())
    #expect(change.value.first == "Albert, rebirthdeath")
    #expect(change.value.last == "Maja, birth")
    // The row that was new when the load failed is followed too.
    try await cache.put(TestPerson(id: 5, name: "Marie", events: [12]))
    #expect(try await changes.next()?.value.last == "Marie, birth")
  }
}
