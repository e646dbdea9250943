import Kinship
import KinshipTiers
import Testing

/// The example of a change of the database.
struct MirrorExamples {
  struct Person: GraphRecord, Codable { let id: Int }
  struct Event: GraphRecord, Codable { let id: Int }
  struct Place: GraphRecord, Codable { let id: Int }

  @Test func `a program changes its database while it runs`() async throws {
    let (old, new) = (MemoryStore([Person(id: 1), Person(id: 2)]), MemoryStore())
    try await move(from: old, to: new)
    #expect(new.count(of: Person.self) == 3 && old.count(of: Person.self) == 3)
  }

  private func move(from old: MemoryStore, to new: MemoryStore) async throws {
    let store = MirroredStore(
      reading: old, mirroring: new, types: [Person.self, Event.self, Place.self])
    let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)

    try await store.fill()  // copies all records; reads and writes go on
    guard try await store.differences().isEmpty else { return }
    try await store.switchOver()  // reads from `new` and mirrors to `old` from now on

    try await cache.put(Person(id: 2))
    try await cache.write { tx in try tx.insert(Person(id: 3)) }
  }
}
