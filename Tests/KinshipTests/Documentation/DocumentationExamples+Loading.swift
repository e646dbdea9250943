import Kinship
import Testing

extension DocumentationExamples {
  @Test func `a cache resolves refs, relationships and lists of refs`() async throws {
    let cache = try Self.cache()

    let albert = try await cache.resolve(Ref<Person>(42))
    let father = try await cache.resolve(albert.father)
    let events = try await cache.resolve(albert.events)
    let found = try await cache.find([1, 42, 99] as [Ref<Person>])

    #expect(father?.name == "Ernst")
    #expect(events.map(\.year) == [1819])
    #expect(found.map { $0?.name } == [nil, "Albert", nil])
  }

  @Test func `fetch limits set the batch size and the concurrency`() async throws {
    let store = Self.family()

    let limits = FetchLimits(batchSize: 500, concurrentBatches: 2)
    let cache = try GraphCache(
      for: Person.self, Event.self, Place.self, store: store, fetching: limits)

    #expect(try await cache.resolve(Ref<Person>(7)).name == "Ernst")
  }

  @Test func `fetch limits and the cache set deadlines`() async throws {
    let store = Self.family()

    let limits = FetchLimits(deadline: .seconds(30))
    let cache = try GraphCache(
      for: Person.self, Event.self, Place.self, store: store, fetching: limits,
      commitDeadline: .seconds(60))

    #expect(try await cache.resolve(Ref<Person>(7)).name == "Ernst")
  }

  struct Offline: Error {}

  struct OfflineStore: BackingStore {
    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] { throw Offline() }
  }

  @Test(arguments: ["Albert", "Person(42) does not exist", "no answer: Offline()"])
  func `an error distinguishes a missing record from a failed fetch`(shown: String) async throws {
    let store: any BackingStore =
      switch shown {
      case "Albert": Self.family()
      case "Person(42) does not exist": MemoryStore()
      default: OfflineStore()
      }
    let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
    func show(_ text: String) { #expect(text == shown) }

    do {
      let albert = try await cache.resolve(Ref<Person>(42))
      show(albert.name)
    } catch KinshipError.missing(let ref) {
      show("\(ref) does not exist")
    } catch KinshipError.fetchFailed(_, _, let cause) {
      show("no answer: \(cause)")
    }
  }

  @Test func `a cache is read and written without waiting`() async throws {
    let cache = try Self.cache()
    #expect(cache.peek(Ref<Person>(42)) == nil)
    _ = try await cache.resolve(Ref<Person>(42))

    let title = cache.peek(Ref<Person>(42))?.name ?? "Loading"

    #expect(title == "Albert")

    let refs: [Ref<Person>] = [1, 2, 42]
    let names = await cache.perform { cache in
      refs.compactMap { cache[$0]?.name }
    }
    let people = await cache.records(for: refs)

    #expect(names == ["Albert"])
    #expect(people.map { $0?.id } == [nil, nil, 42])

    let ref: Ref<Person> = 42
    let name = await cache.read(ref) { $0.name }
    let letters = await cache.reduce(refs, into: 0) { $0 += $1.name.count }

    #expect(name == "Albert")
    #expect(letters == 6)

    var shown: [String] = []
    func show(_ name: String) { shown.append(name) }
    for (count, ref) in refs.enumerated() {
      if count.isMultiple(of: 1_000) { await Task.yield() }
      guard let person = try await cache.find(ref) else { continue }
      show(person.name)
    }
    #expect(shown == ["Albert"])

    try await cache.perform { cache in
      guard let albert = cache[Ref<Person>(42)] else { return }
      try cache.update(albert.ref, \.name, to: "\(albert.name) of Saxe-Coburg")
    }

    #expect(cache.peek(Ref<Person>(42))?.name == "Albert of Saxe-Coburg")

    try await cache.update(ref, \.name, to: "Albert")

    #expect(cache.peek(ref)?.name == "Albert")
  }
}
