import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// A record and a list of records, observed step by step.
@Suite(.boundedWaits)
struct ObservingRecordsTests {
  private func person(_ id: Int, _ name: String) -> TestPerson { TestPerson(id: id, name: name) }

  @Test func `an observer gets the first value at once and then each change`() async throws {
    let cache = try GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self)
    try await cache.put(person(1, "Albert"))
    var changes = cache.observe(Ref<TestPerson>(1)).makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.value?.name == "Albert")
    #expect(!first.isLoading)
    #expect(first.diff.applying(to: []).first == first.value)
    try await cache.update(1, \TestPerson.name, to: "Ernst")
    let second = try #require(try await changes.next())
    #expect(second.value?.name == "Ernst")
    #expect(second.diff.applying(to: first.value.map { [$0] } ?? []).first == second.value)
    await cache.remove(Ref<TestPerson>(1))
    let third = try #require(try await changes.next())
    #expect(third.value == nil)
    #expect(third.diff.removed.map(\.element.name) == ["Ernst"])
  }

  @Test func `an observer loads missing records and says so`() async throws {
    let store = MemoryStore([person(1, "Albert"), person(2, "Ernst")])
    let cache = try GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self, store: store)
    _ = try await cache.find(Ref<TestPerson>(2))
    var changes = cache.observe([1, 2, 3] as [Ref<TestPerson>]).makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.isLoading)
    #expect(first.value.map(\.id) == [2])
    let second = try #require(try await changes.next())
    #expect(!second.isLoading)
    #expect(second.value.map(\.id) == [1, 2])
    #expect(second.diff.inserted.map(\.position) == [0])
    #expect(second.diff.applying(to: first.value) == second.value)
    try await cache.put(person(3, "Auguste"))
    let third = try #require(try await changes.next())
    #expect(third.value.map(\.id) == [1, 2, 3])
    #expect(third.diff.applying(to: second.value) == third.value)
  }

  @Test func `a slow observer skips to the newest value`() async throws {
    let cache = try GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self)
    var changes = cache.observe([1, 2] as [Ref<TestPerson>]).makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.value == [])
    for number in 0..<100 { try await cache.put(person(1 + number % 2, "\(number)")) }
    let second = try #require(try await changes.next())
    #expect(second.value.map(\.name) == ["98", "99"])
    #expect(second.diff.inserted.count == 2)
  }

  @Test func `an eviction is not a change`() async throws {
    let store = MemoryStore([person(1, "Albert")])
    let cache = try GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self, store: store)
    var changes = cache.observe(Ref<TestPerson>(1)).makeAsyncIterator()
    _ = try await changes.next()
    _ = try await changes.next()
    await cache.evict(Ref<TestPerson>(1))
    _ = try await cache.find(Ref<TestPerson>(1))
    await cache.trim(to: 0)
    await cache.invalidate(Ref<TestPerson>(1))
    await cache.evict(Ref<TestPerson>(1))
    store.insert([person(1, "Ernst")])
    let change = try #require(try await changes.next())
    #expect(change.value?.name == "Ernst")
    #expect(change.diff.updated.map(\.old.name) == ["Albert"])
  }

  @Test func `an observer is notified of a write whose record was evicted`() async throws {
    let cache = try GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self, capacity: 1)
    try await cache.put(person(1, "Albert"))
    var changes = cache.observe(Ref<TestPerson>(1)).makeAsyncIterator()
    _ = try await changes.next()
    try await cache.put(person(1, "Ernst"))
    try await cache.put(person(2, "Auguste"))
    #expect(cache.peek(Ref<TestPerson>(1)) == nil)
    #expect(try await changes.next()?.value?.name == "Ernst")
  }

  @Test func `only changes of the chosen properties notify`() async throws {
    let cache = try GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self)
    try await cache.put(person(1, "Albert"))
    var changes = cache.observe(Ref<TestPerson>(1)).filtered(by: \.name, \.mother)
      .makeAsyncIterator()
    _ = try await changes.next()
    let task = Task { [changes] in
      var changes = changes
      return try await changes.next()
    }
    try await cache.update(1, \TestPerson.father, to: 7)
    await Task.yield()
    try await cache.update(1, \TestPerson.mother, to: 8)
    let change = try #require(try await task.value)
    // It brings everything up to date.
    #expect(change.value?.father == 7)
    #expect(change.value?.mother == 8)
  }

  @Test func `an observer throws a failed load and tries again`() async throws {
    let store = ScriptedStore(
      over: MemoryStore([person(1, "Albert")]),
      script: .plain.onCall(0, StoreBehavior(failure: ScriptedFailure(call: 0))))
    let cache = try GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self, store: store)
    var changes = cache.observe(Ref<TestPerson>(1)).makeAsyncIterator()
    #expect(try await changes.next()?.isLoading == true)
    await #expect(throws: KinshipError.self) { try await changes.next() }
    let change = try #require(try await changes.next())
    #expect(change.value?.name == "Albert")
    #expect(!change.isLoading)
  }

  @Test func `a cancelled observer leaves nothing behind`() async throws {
    let cache = try GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self)
    let changes = cache.observe(Ref<TestPerson>(1))
    let task = Task {
      var count = 0
      for try await _ in changes { count += 1 }
      return count
    }
    try await wait { cache.statistics.observers != 0 }
    task.cancel()
    #expect(try await task.value <= 1)
    #expect(cache.statistics.observers == 0)
    #expect(await cache.audit() == [])
  }

  @Test func `an observer that breaks out leaves nothing behind`() async throws {
    let cache = try GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self)
    let changes = cache.observe([1, 2] as [Ref<TestPerson>])
    for try await _ in changes { break }
    #expect(cache.statistics.observers == 0)
    try await cache.put(person(1, "Albert"))
    #expect(await cache.audit() == [])
  }

  @Test func `an observer of an unknown type throws`() async throws {
    let cache = try GraphCache(for: TestPlace.self)
    var changes = cache.observe(Ref<TestPerson>(1)).makeAsyncIterator()
    await #expect(throws: KinshipError.self) { try await changes.next() }
    #expect(cache.statistics.observers == 0)
  }

  @Test func `a record that cannot be compared changes with each write`() async throws {
    struct Plain: GraphRecord {
      let id: Int
      var value: Int
    }
    let cache = try GraphCache(for: Plain.self, store: MemoryStore([Plain(id: 1, value: 1)]))
    var changes = cache.observe(Ref<Plain>(1)).makeAsyncIterator()
    _ = try await changes.next()
    _ = try await changes.next()
    try await cache.put(Plain(id: 1, value: 1))
    #expect(try await changes.next()?.value?.value == 1)
    // Loading it again is no write.
    await cache.evict(Ref<Plain>(1))
    _ = try await cache.find(Ref<Plain>(1))
    try await cache.put(Plain(id: 1, value: 2))
    #expect(try await changes.next()?.value?.value == 2)
  }
}
