import Kinship
import Testing

@testable import family_tree

/// Every commit gives a store a mark that no other commit gives.
struct MarkedStoreTests {
  private let origin = Origin(path: "a", bytes: [])

  private func base() -> MemoryStore {
    let base = MemoryStore()
    base.insert([origin])
    base.insert([Place(id: "York"), Place(id: "Leeds")])
    return base
  }

  private func cache(over base: MemoryStore) async throws -> GraphCache {
    try GraphCache(for: Place.self, store: await MarkedStore(base, origin))
  }

  private func mark(of base: MemoryStore) async throws -> String? {
    try await base.fetch(Origin.self, ids: [Origin.only.id]).first?.mark
  }

  @Test func `each commit gives a new mark`() async throws {
    let base = base()
    let stack = UndoStack(try await cache(over: base))
    var marks = [try await mark(of: base)]
    try await stack.write { tx in try tx.insert(Place(id: "Hull")) }
    marks.append(try await mark(of: base))
    _ = try await stack.undo()
    marks.append(try await mark(of: base))
    _ = try await stack.redo()
    marks.append(try await mark(of: base))
    #expect(Set(marks).count == 4)
    #expect(!marks.contains(nil))
  }

  @Test func `reads leave the mark`() async throws {
    let base = base()
    let cache = try await cache(over: base)
    #expect(try await cache.find(RecordQuery<Place>()).count == 2)
    #expect(try await cache.resolve(Ref<Place>("York")).name == "York")
    #expect(try await mark(of: base) == origin.mark)
  }

  @Test func `a rejected commit leaves the mark`() async throws {
    let base = base()
    let cache = try await cache(over: base)
    // Hull is there, and the cache does not know.
    #expect(try await cache.find(Ref<Place>("Hull")) == nil)
    base.insert([Place(id: "Hull")])
    await #expect(throws: KinshipError.self) {
      try await cache.write { tx in try tx.insert(Place(id: "Hull")) }
    }
    #expect(try await mark(of: base) == origin.mark)
    try await cache.write { tx in try tx.insert(Place(id: "Bath")) }
    #expect(try await mark(of: base) != origin.mark)
  }

  @Test func `two writers over one store both commit`() async throws {
    let base = base()
    let (mine, theirs) = (try await cache(over: base), try await cache(over: base))
    try await theirs.write { tx in try tx.insert(Place(id: "Hull")) }
    let between = try await mark(of: base)
    try await mine.write { tx in try tx.insert(Place(id: "Bath")) }
    #expect(try await mark(of: base) != between)
    #expect(try await base.fetch(Place.self, ids: ["Hull", "Bath"]).count == 2)
  }

  @Test func `two copies of a store have other marks once they change`() async throws {
    var marks: [String?] = []
    for name in ["York", "Leeds"] {
      let copy = MemoryStore()
      copy.insert([origin])
      try await cache(over: copy).write { tx in try tx.insert(Place(id: name)) }
      marks.append(try await mark(of: copy))
    }
    #expect(marks[0] != marks[1])
    #expect(Origin(path: "a", bytes: []).mark != origin.mark)
  }
}
