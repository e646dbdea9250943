import Kinship
import Testing

extension DocumentationExamples {
  @Test func `a strict cache reports loads that its plan left out`() async throws {
    let store = Self.family()

    let cache = try GraphCache(
      for: Person.self, Event.self, Place.self, store: store,
      strictness: .report { load in print(load) })

    let plan = Plan<Person>.following(\.father, generations: 1)
    let family = try await cache.graph(of: Ref<Person>(42), plan)
    if let mother = family.root.father?.record.mother {
      show(try await cache.resolve(mother).name)
    }

    for load in await cache.unplannedLoads {
      show("\(load.type).\(load.relationship), \(load.times) times: \(load.plan)")
    }

    let better =
      Plan<Person>.following(\.father, generations: 1).following(\.mother, generations: 2)
    #expect(try await cache.graph(of: Ref<Person>(42), better).count == 3)
    #expect(await cache.unplannedLoads.map(\.relationship) == ["mother"])
    #expect(await cache.unplannedLoads[0].plan.hasSuffix(".following(\\.mother, generations: 2)"))
  }

  @Test func `a failing strict cache accepts a graph that its plan covers`() async throws {
    let store = Self.family()

    let cache = try GraphCache(
      for: Person.self, Event.self, Place.self, store: store, strictness: .fail)
    let family = try await cache.graph(of: Ref<Person>(42), .generations(2))

    #expect(family.count == 5)
  }

  @Test func `a cache learns a plan from the reads of a closure`() async throws {
    let cache = try Self.cache()

    let (names, learned) = try await cache.learningPlan {
      let albert = try await cache.resolve(Ref<Person>(42))
      let father = try await cache.resolve(albert.father)
      return [albert.name, father?.name]
    }
    print(learned.source)

    #expect(names == ["Albert", "Ernst"])
    #expect(learned.callCount == 2 && learned.plannedCallCount == 2)

    if let plan = learned.plan(from: Person.self) {
      let family = try await cache.graph(of: Ref<Person>(42), plan)
      show("\(family.count) people")
    }
  }

  private func show(_ text: String) { #expect(!text.isEmpty) }
}
