import Kinship
import Testing

extension DocumentationExamples {
  struct Headline: GraphRecord {
    let id: Int
    var text: String

    static let freshness: Freshness? = .staleWhileRevalidating(after: .seconds(60))
  }

  @Test func `a read chooses how fresh its record must be`() async throws {
    let store = MemoryStore([Headline(id: 1, text: "Fair weather")])
    let cache = try GraphCache(for: Headline.self, store: store)
    let ref = Ref<Headline>(1)
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    do {
      let headline = try await cache.resolve(ref, .within(.seconds(60)))
      show(headline.text)
    }
    do {
      let stale = Freshness.staleWhileRevalidating(after: .seconds(60))
      let shown = try await cache.find(ref.dated, .fresh(stale))
      if let shown { show("\(shown.value.text)\(shown.isStale ? ", being looked up" : "")") }
    }
    do {
      try await cache.refresh(ref)
    }
    #expect(shown == ["Fair weather", "Fair weather"])
  }

  @Test func `graphs and queries obey freshness rules`() async throws {
    let store = Self.family()
    let ref = Ref<Person>(42)
    let cache = try GraphCache(
      for: Person.self, Event.self, Place.self, store: store,
      freshness: [FreshnessRule(Person.self, .within(.seconds(60)))])
    let family = try await cache.find(ref.graph(.generations(3)), .within(.seconds(60)))
    #expect(family.root.father?.name == "Ernst")
    let newest = try await cache.refresh(RecordQuery<Person>().sorted(by: \.name).limited(to: 20))
    #expect(newest.count == 3)
    let rule = FreshnessRule(Person.self, Freshness(limit: .seconds(60), removesExpired: true))
    let other = try GraphCache(
      for: Person.self, Event.self, Place.self, store: store, freshness: [rule])
    #expect(try await other.resolve(ref).name == "Albert")
    #expect(await other.removeExpired() == 0)
  }

  @Test func `an observed record can be kept fresh`() async throws {
    let cache = try Self.cache()
    let ref = Ref<Person>(42)
    let looking = Task {
      var shown: String?
      func show(_ name: String?) {
        shown = name
        if name != nil { withUnsafeCurrentTask { $0?.cancel() } }
      }
      for try await change in cache.observe(ref).keptFresh(within: .seconds(60)) {
        show(change.value?.name)
      }
      return shown
    }
    #expect(try await looking.value == "Albert")
  }
}
