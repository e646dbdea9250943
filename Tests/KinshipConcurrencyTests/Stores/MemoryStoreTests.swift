import Kinship
import KinshipTestSupport
import Testing

struct MemoryStoreTests {
  @Test func `a memory store returns its records`() async throws {
    let store = MemoryStore([TestPlace(id: 1, name: "A"), TestPlace(id: 1, name: "B")])
    store.insert([TestEvent(id: 1, title: "Birth", person: 1)])
    #expect(store[Ref<TestPlace>(1)]?.name == "B")
    #expect(store[Ref<TestPlace>(2)] == nil)
    #expect(store.count(of: TestPlace.self) == 1)
    #expect(store.count(of: TestPerson.self) == 0)
    #expect(try await store.fetch(TestPlace.self, ids: [2, 1]).map(\.name) == ["B"])
    #expect(try await store.fetch(TestEvent.self, ids: [1]).map(\.title) == ["Birth"])
    #expect(store.remove(Ref<TestPlace>(1))?.name == "B")
    #expect(store.remove(Ref<TestPlace>(1)) == nil)
    #expect(try await store.fetch(TestPlace.self, ids: [1]).isEmpty)
  }

  @Test func `a cancelled fetch returns nothing`() async {
    let store = MemoryStore([TestPlace(id: 1, name: "A")])
    let fetch = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.fetch(TestPlace.self, ids: [1])
    }
    await #expect(throws: CancellationError.self) { try await fetch.value }
  }
}
