import Foundation
import Kinship
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import PlainGenealogy
import Testing

/// Structs of a module that does not import Kinship are records by an extension elsewhere, with
/// refs that are computed from plain ids.
struct PlainRecordTests {
  private static let people = [
    Person(id: 42, name: "Albert", fatherID: 7, eventIDs: [1]),
    Person(id: 43, name: "Ernst the younger", fatherID: 7),
    Person(id: 7, name: "Ernst", fatherID: 6, eventIDs: [2]), Person(id: 6, name: "Franz"),
  ]
  private static let events = [Event(id: 1, year: 1819), Event(id: 2, year: 1784)]
  private static let children = Inverse<Person, Person>(\.father)

  enum Place: CaseIterable { case cache, memory, files }

  /// A cache of the family, and its store.
  private static func make(_ place: Place) async throws -> (GraphCache, (any BackingStore)?) {
    let schema = try GraphSchema(Person.self, Event.self)
    let store: (any BackingStore)? =
      switch place {
      case .cache: nil
      case .memory: MemoryStore()
      case .files: try await FileStore(in: SimulatedDisk(), at: "/family", schema: schema)
      }
    let cache = GraphCache(schema: schema, store: store)
    try await cache.write { tx in
      for person in people { try tx.insert(person) }
      for event in events { try tx.insert(event) }
    }
    // Everything later is loaded from the store, if there is one.
    return (store == nil ? cache : GraphCache(schema: schema, store: store), store)
  }

  @Test(arguments: Place.allCases)
  func `a plan and a view follow computed refs`(place: Place) async throws {
    let (cache, _) = try await Self.make(place)
    let plan = Plan<Person>.following(\.father, generations: 2).following(\.events)
    let family = try await cache.graph(of: Ref<Person>(42), plan)
    #expect(family.root.father?.father?.name == "Franz" && family.count == 5)
    let view = Ref<Person>(7).view { person in
      "\(person.name), \(person.events.map(\.year)): \(person[Self.children].map(\.name))"
    }
    #expect(
      try await cache.find(view) == #"Ernst, [1784]: ["Albert", "Ernst the younger"]"#)
  }

  @Test(arguments: Place.allCases)
  func `a query by the plain id uses its index`(place: Place) async throws {
    let (cache, _) = try await Self.make(place)
    let query = RecordQuery<Person>(#Predicate { $0.fatherID == 7 }).sorted(by: \.name)
    #expect(try await cache.find(query).map(\.id) == [42, 43])
    let father: Ref<Person>? = 7
    let byRef = RecordQuery<Person>(#Predicate { $0.father == father }).sorted(by: \.name)
    #expect(try await cache.find(byRef).map(\.id) == [42, 43])
    if place == .cache {
      let explanation = try await cache.explain(query)
      #expect("\(explanation)".contains("fatherID"), "\(explanation)")
    }
  }

  @Test(arguments: Place.allCases)
  func `a deletion clears plain ids and cascades along them`(place: Place) async throws {
    let (cache, store) = try await Self.make(place)
    try await cache.write { tx in try tx.delete(Ref<Person>(7)) }
    #expect(try await cache.resolve(Ref<Person>(42)).fatherID == nil)
    #expect(try await cache.find(Ref<Event>(2)) == nil)
    guard let store else { return }
    #expect(try await store.fetch(Person.self, ids: [42, 43]).map(\.fatherID) == [nil, nil])
    #expect(try await store.fetch(Event.self, ids: [1, 2]).map(\.id) == [1])
  }

  /// The property that is set is not the relationship, which is computed from it.
  @Test(arguments: Place.allCases, [false, true])
  func `setting a plain id changes the relationship`(place: Place, isLoaded: Bool) async throws {
    let (cache, store) = try await Self.make(place)
    let children = Ref<Person>(7).related(Self.children)
    if isLoaded { #expect(try await cache.find(children).map(\.id) == [42, 43]) }
    let view = Ref<Person>(7).view { $0[Self.children].map(\.name) }
    _ = try await cache.find(view)
    var observed = cache.observe(view).makeAsyncIterator()
    #expect(try await observed.next()?.value == ["Albert", "Ernst the younger"])

    try await cache.write { tx in try tx.update(Ref<Person>(42), \.fatherID, to: 6) }
    #expect(try await observed.next()?.value == ["Ernst the younger"])
    #expect(try await cache.find(children).map(\.id) == [43])
    #expect(try await cache.find(Ref<Person>(6).related(Self.children)).map(\.id) == [7, 42])

    try await cache.write { tx in try tx.update(Ref<Person>(43), \.father, to: 6) }
    #expect(try await cache.find(children).isEmpty)
    #expect(try await cache.resolve(Ref<Person>(43)).fatherID == 6)
    if let store {
      #expect(try await store.fetch(Person.self, ids: [42, 43]).map(\.fatherID) == [6, 6])
    }
    #expect(await cache.audit() == [])
  }

  @Test(arguments: Place.allCases)
  func `a view notices what changes behind a computed ref`(place: Place) async throws {
    let (cache, _) = try await Self.make(place)
    let view = Ref<Person>(42).view { $0.father?.name }
    _ = try await cache.find(view)
    var fathers = cache.observe(view).makeAsyncIterator()
    #expect(try await fathers.next()?.value == "Ernst")
    try await cache.write { tx in try tx.update(Ref<Person>(42), \.fatherID, to: 6) }
    #expect(try await fathers.next()?.value == "Franz")
  }

  @Test func `a snapshot keeps plain structs`() async throws {
    let (cache, _) = try await Self.make(.cache)
    let directory = try TemporaryDirectory()
    let file = directory.url.appending(path: "family.snapshot")
    try await cache.snapshot(to: file)
    let restored = try GraphCache(for: Person.self, Event.self)
    try await restored.restore(from: file)
    #expect(
      try await restored.find(RecordQuery<Person>().sorted(by: \.id))
        == Self.people.sorted { $0.id < $1.id })
    let children = Ref<Person>(7).related(Self.children)
    #expect(try await restored.find(children).map(\.id) == [42, 43])
  }
}

/// A relationship that is computed from a plain id, and an inverse that is stored: each follows
/// the other, whichever property is set.
struct ComputedInverseTests {
  struct Employee: GraphRecord, Equatable {
    let id: Int
    var bossID: Int?
    var reports: [Ref<Employee>] = []

    var boss: Ref<Employee>? {
      get { bossID.map { Ref($0) } }
      set { bossID = newValue?.id }
    }

    static let relationships: Relationships<Employee> = [
      .toOne(\.boss, inverse: \.reports), .toMany(\.reports),
    ]
  }

  @Test(arguments: [false, true])
  func `setting a plain id keeps the other side`(severalAtOnce: Bool) async throws {
    let store = MemoryStore([Employee(id: 1), Employee(id: 2), Employee(id: 3)])
    let cache = try GraphCache(for: Employee.self, store: store)
    try await cache.write { tx in
      if severalAtOnce {
        try tx.update(3, .set(\Employee.bossID, to: 1))
      } else {
        try tx.update(Ref<Employee>(3), \.bossID, to: 1)
      }
    }
    #expect(try await cache.resolve(Ref<Employee>(1)).reports == [3])
    try await cache.write { tx in try tx.update(Ref<Employee>(2), \.reports, to: [3]) }
    #expect(try await cache.resolve(Ref<Employee>(3)).bossID == 2)
    #expect(try await store.fetch(Employee.self, ids: [1]).first?.reports == [])
  }
}
