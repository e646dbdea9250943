import Kinship
import Testing

extension DocumentationExamples {
  @Test func `a plan limits relationships, generations and records`() async throws {
    let everything = Plan<Person>.generations(3)
    let pedigree = Plan<Person>.following(\.father, \.mother, generations: 10)
      .following(\.events)
      .following(\Event.place)
      .limited(to: 5_000)

    let cache = try Self.cache()
    #expect(try await cache.graph(of: 42, everything).count == 5)
    #expect(try await cache.graph(of: 42, pedigree).count == 5)
  }

  @Test func `each relationship of a plan has its own depth`() async throws {
    let store = Self.family()
    store.insert([
      Person(id: 42, name: "Albert", father: 7, mother: 9),
      Person(id: 7, name: "Ernst", father: 6, mother: 8),
      Person(id: 6, name: "Franz", father: 5),
      Person(id: 9, name: "Louise"),
    ])
    let cache = try Self.cache(store)
    func ids(_ plan: Plan<Person>) async throws -> [Int] {
      try await cache.graph(of: 42, plan).records(of: Person.self).map(\.id)
    }
    #expect(try await ids(.generations(0)) == [42])
    #expect(try await ids(.generations(1)) == [42, 7, 9])
    #expect(try await ids(.following(\.father, generations: 2)) == [42, 7, 6])
    let two = Plan<Person>.following(\.father, generations: 2)
      .following(\.mother, generations: 1)
    #expect(try await ids(two) == [42, 7, 9, 6])
  }

  @Test func `graphs of many roots load together`() async throws {
    let cache = try Self.cache()
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }

    let families = try await cache.find([Ref<Person>(42), Ref<Person>(43)].graphs(.generations(3)))
    for family in families.compactMap(\.self) {
      show(family.root.father?.name ?? "unknown")
    }

    #expect(families.map { $0 != nil } == [true, false])
    #expect(shown == ["Ernst"])
    shown = []

    let firstTwenty = RecordQuery<Person>().sorted(by: \.name).limited(to: 20)
    for family in try await cache.find(firstTwenty.graphs(.following(\.events))) {
      show("\(family.root.name): \(family.root.events.count) events")
    }

    #expect(shown == ["Albert: 1 events", "Auguste: 0 events", "Ernst: 0 events"])
  }

  @Test func `the landing page's example finds the grandmother`() async throws {
    let store = Self.family()

    let cache = try GraphCache(
      for: Person.self, Event.self, Place.self, store: store, capacity: 10_000)
    let family = try await cache.graph(of: Ref<Person>(42), .generations(3))
    let grandmother = family.root.father?.mother?.name

    #expect(grandmother == "Auguste")
  }

  @Test func `a graph is walked by its relationships`() async throws {
    let cache = try Self.cache()
    func show(_ name: String) { #expect(name == "Ernst") }

    let pedigree = Plan<Person>.following(\.father, \.mother, generations: 2)
      .following(\.events)
      .following(\Event.place)
    let family = try await cache.graph(of: Ref<Person>(42), pedigree)

    let name = family.root.name
    let grandmother = family.root.father?.mother?.name
    let birthplace = family.root.events.first?.place?.name
    for parent in family.nodes(of: Person.self) where parent.generation == 1 {
      show(parent.name)
    }

    #expect(name == "Albert")
    #expect(grandmother == "Auguste")
    #expect(birthplace == "Rosenau")

    let path = family.shortestPath(from: Ref<Person>(42), to: Ref<Place>(1)) ?? []
    let steps = path.map { "\($0.relationship) to \($0.ref)" }

    #expect(steps == ["events to Event(birth-42)", "place to Place(1)"])

    let tree = family.tree { ($0 as? Person)?.name ?? Graph<Person>.label($0) }

    #expect(tree.hasPrefix("Albert\n├─ father: Ernst\n│  └─ mother: Auguste"))
  }

  @Test func `a lookup distinguishes missing from unloaded records`() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 8
    func show(_ name: String) { #expect(name == "Auguste") }
    func showNothing() { Issue.record("there is an Auguste") }

    let family = try await cache.graph(of: Ref<Person>(42), .generations(3))
    let grandmother = family.root.father?.mother?.name
    switch family[ref] {
    case .loaded(let person): show(person.name)
    case .unloaded(let ref): show(try await cache.resolve(ref).name)
    case .missing: showNothing()
    }

    #expect(grandmother == "Auguste")
  }

  @Test func `a cut graph reports the unloaded records`() async throws {
    let cache = try Self.cache()
    let family = try await cache.graph(of: Ref<Person>(42), .generations(0))
    let ref: Ref<Person> = 8
    func show(_ text: String) {
      #expect(["Auguste", "the father is Person(7), who is not loaded"].contains(text))
    }
    func showNothing() { Issue.record("there is an Auguste") }

    switch family[ref] {
    case .loaded(let person): show(person.name)
    case .unloaded(let ref): show(try await cache.resolve(ref).name)
    case .missing: showNothing()
    }

    if case .unloaded(let father) = family.root.lookup(\.father) {
      show("the father is \(father), who is not loaded")
    }
    let isWholeLife = family.root.events.isComplete

    #expect(!isWholeLife)
  }

  @Test func `a graph expands from its horizon`() async throws {
    let cache = try Self.cache()

    let small = try await cache.graph(of: Ref<Person>(42), .generations(1))
    let beyond = small.horizon.compactMap { $0.as(Person.self) }
    let larger = try await cache.expand(small, from: beyond[0], .generations(2))

    #expect(beyond == [8])
    #expect(larger.root.father?.mother?.name == "Auguste")
    #expect(small.root.father?.mother == nil)
  }
}
