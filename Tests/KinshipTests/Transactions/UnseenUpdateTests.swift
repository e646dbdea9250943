import Kinship
import KinshipTestSupport
import Testing

/// Setting a property of an unloaded record must not hide referrers.
struct UnseenUpdateTests {
  private struct Parents: Sendable, Equatable {
    var father: Ref<Child>?
    var mother: Ref<Child>?
  }

  /// Its relationships are within a property, and behind a computed one.
  private struct Child: GraphRecord, Equatable {
    let id: Int
    var name = ""
    var parents = Parents()
    var mother: Ref<Child>? {
      get { parents.mother }
      set { parents.mother = newValue }
    }

    static let relationships: Relationships<Child> = [
      .toOne(\.parents.father), .ignored(\.parents.mother),
    ]
  }

  @Test func `a property that holds refs is not set without loading`() async throws {
    let store = MemoryStore((1...3).map { Child(id: $0) })
    let cache = try GraphCache(for: Child.self, store: store)
    try await cache.write { tx in
      try tx.update(1, \Child.parents, to: Parents(father: 2))
      try tx.delete(Ref<Child>(2))
    }
    #expect(store[Ref<Child>(1)] == Child(id: 1))
    // All referrers of 3 are known, and a record that is not in memory begins to refer to it.
    try await cache.write { tx in _ = try tx.consequences(ofDeleting: Ref<Child>(3)) }
    await cache.evict(Ref<Child>(1))
    try await cache.write { tx in try tx.update(1, \Child.parents, to: Parents(father: 3)) }
    await cache.evict(Ref<Child>(1))
    try await cache.write { tx in try tx.delete(Ref<Child>(3)) }
    #expect(store[Ref<Child>(1)] == Child(id: 1))
    #expect(await cache.audit() == [])
  }

  @Test func `a property without refs is set without loading`() async throws {
    let store = ScriptedStore(over: MemoryStore([Child(id: 1)]))
    let cache = try GraphCache(for: Child.self, store: store)
    try await cache.write { tx in try tx.update(1, \Child.name, to: "A") }
    #expect(store.calls.map(\.kind) == [.apply])
    try await cache.write { tx in try tx.update(1, \Child.mother, to: nil) }
    #expect(store.calls.map(\.kind) == [.apply, .fetch, .apply])
  }

  private struct Renamed: GraphRecord, Equatable {
    var id: Int
    var name = ""
  }

  @Test func `an id is not set without loading`() async throws {
    let memory = MemoryStore([Renamed(id: 1)])
    let store = ScriptedStore(over: memory)
    let cache = try GraphCache(for: Renamed.self, store: store)
    let error = await #expect(throws: KinshipError.self) {
      try await cache.write { tx in try tx.update(1, \Renamed.id, to: 2) }
    }
    guard case .misuse(.identityChanged) = error else { throw error ?? .misuse(.closed(path: "")) }
    #expect(memory[Ref<Renamed>(1)] == Renamed(id: 1))
    #expect(store.calls.map(\.kind) == [.fetch])
  }
}
