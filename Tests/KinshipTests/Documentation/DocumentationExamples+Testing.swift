import Foundation
import Kinship
import KinshipTesting
import Testing

extension DocumentationExamples {
  struct ListRow: Equatable, Sendable {
    let title: String

    init(_ person: Node<Person>) {
      title = person.name + (person.events.first.map { ", born \($0.year)" } ?? "")
    }
  }

  func loadRows(from cache: GraphCache) async throws -> [ListRow] {
    let query = RecordQuery<Person>(#Predicate { $0.id > 0 }).sorted(by: \.name)
    return try await Array(cache.find(query.view(ListRow.init)))
  }

  @Test(.noUnplannedLoads) func `the list makes one call for each type`() async throws {
    let store = ScriptedStore(over: Self.family())
    let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)

    let rows = try await loadRows(from: cache)

    #expect(rows.map(\.title) == ["Albert, born 1819", "Auguste", "Ernst"])
    #expect(store.calls.map(\.kind) == [.query, .fetch])
    #expect(store.recordsFetched == 4)
  }

  @Test func `a scripted call fails`() async throws {
    let failing = StoreBehavior(failure: ScriptedFailure())
    let store = ScriptedStore(
      over: Self.family(), script: .plain.onCalls(where: { $0.kind == .apply }, failing))
    let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
    await #expect(throws: KinshipError.self) {
      try await cache.write { tx in try tx.update(Ref<Person>(42), \.name, to: "Prince Albert") }
    }
    store.follow(.plain)  // the next write succeeds

    try await cache.write { tx in try tx.update(Ref<Person>(42), \.name, to: "Prince Albert") }
    #expect(store.calls.count { $0.kind == .apply } == 2)
  }

  @Test func `a write overtakes a load`() async throws {
    let gate = Gate()
    let store = ScriptedStore(
      over: Self.family(), script: .plain.onCall(0, StoreBehavior(pause: .gate(gate))))
    let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)

    async let person = cache.resolve(Ref<Person>(42))
    try await store.waitForCalls(1)  // the cache is loading
    try await cache.put(Person(id: 42, name: "Prince Albert"))
    gate.open()
    #expect(try await person.name == "Prince Albert")
  }

  @Test func `a clock that the test sets`() async throws {
    let store = ScriptedStore(over: Self.family())

    let clock = ManualClock()
    let cache = try GraphCache(
      for: Person.self, Event.self, Place.self, store: store, clock: clock)
    _ = try await cache.resolve(Ref<Person>(42))
    clock.advance(by: .seconds(61))
    _ = try await cache.find(Ref<Person>(42), .within(.seconds(60)))
    #expect(store.requests(for: Ref<Person>(42)) == 2)
  }
}
