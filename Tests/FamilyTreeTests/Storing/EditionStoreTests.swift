import Kinship
import Testing

@testable import family_tree

/// Every change makes an edition that no other change makes.
struct EditionStoreTests {
  private func base() -> MemoryStore {
    let base = MemoryStore()
    base.insert([Edition(size: Archive.Size(persons: 0, families: 0, events: 0, places: 2))])
    base.insert([Place(id: "York"), Place(id: "Leeds")])
    return base
  }

  private func cache(over store: EditionStore) throws -> GraphCache {
    try GraphCache(for: Place.self, store: store)
  }

  @Test func everyChangeMakesAnEdition() async throws {
    let base = base()
    let store = try await EditionStore(base)
    let stack = UndoStack(try cache(over: store))
    var states = [await store.state]
    try await stack.write { tx in try tx.insert(Place(id: "Hull")) }
    states.append(await store.state)
    _ = try await stack.undo()
    states.append(await store.state)
    _ = try await stack.redo()
    states.append(await store.state)
    #expect(Set(states).count == 4)
    #expect(!states.contains(nil))
    // Whoever comes later finds the last one.
    let later = try await EditionStore(base)
    #expect(await later.state == states.last)
    #expect(await later.size.places == 3)
  }

  @Test func readingMakesNone() async throws {
    let store = try await EditionStore(base())
    let before = await store.state
    let cache = try cache(over: store)
    #expect(try await cache.find(RecordQuery<Place>()).count == 2)
    #expect(try await cache.resolve(Ref<Place>("York")).name == "York")
    #expect(await store.state == before)
  }

  @Test func aChangeThatIsRefusedMakesNone() async throws {
    let base = base()
    let store = try await EditionStore(base)
    let before = await store.state
    let cache = try cache(over: store)
    // Hull is there, and the cache does not know.
    #expect(try await cache.find(Ref<Place>("Hull")) == nil)
    base.insert([Place(id: "Hull")])
    await #expect(throws: KinshipError.self) {
      try await cache.write { tx in try tx.insert(Place(id: "Hull")) }
    }
    #expect(await store.state == before)
    try await cache.write { tx in try tx.insert(Place(id: "Bath")) }
    #expect(await store.state != before)
  }

  @Test func twoWhoChangeAreTold() async throws {
    let base = base()
    let (mine, theirs) = (try await EditionStore(base), try await EditionStore(base))
    try await cache(over: theirs).write { tx in try tx.insert(Place(id: "Hull")) }
    #expect(await mine.state != nil)
    try await cache(over: mine).write { tx in try tx.insert(Place(id: "Bath")) }
    #expect(await mine.state == nil)
    #expect(try await base.fetch(Place.self, ids: ["Hull", "Bath"]).count == 2)
    // What was noted with either edition holds no longer.
    let later = try await EditionStore(base)
    #expect(await later.size.places == 4)
    #expect(await later.state != (await theirs.state))
  }

  @Test func aStoreThatIsMadeAgainHasOtherEditions() async throws {
    let first = try await EditionStore(base()).state
    let second = try await EditionStore(base()).state
    #expect(second != first)
  }

  @Test func twoCopiesOfAStoreHaveOtherEditionsOnceTheyChange() async throws {
    let edition = Edition(size: Archive.Size(persons: 0, families: 0, events: 0, places: 0))
    var states: [String?] = []
    for name in ["York", "Leeds"] {
      let copy = MemoryStore()
      copy.insert([edition])
      let store = try await EditionStore(copy)
      #expect(await store.state == edition.name)
      try await cache(over: store).write { tx in try tx.insert(Place(id: name)) }
      states.append(await store.state)
    }
    #expect(states[0] != states[1])
  }
}
