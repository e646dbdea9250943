import Kinship
import KinshipTiers
import KinshipTestSupport
import Testing

/// A store reports the records that it has stored differently, and those that it has changed in
/// addition.
struct StoredOtherwiseTests {
  struct Note: GraphRecord, Codable, Equatable {
    let id: Int
    var text: String
    var stars = 0
  }

  struct Count: GraphRecord, Codable, Equatable {
    let id: Int
    var notes: Int
  }

  /// Stores texts in lower case, and counts the notes in a record of another type.
  struct LoweringStore: ForwardingStore {
    let memory = MemoryStore()
    var base: any BackingStore { memory }

    func apply(_ changes: ChangeSet) async throws {
      try await memory.apply(changes)
      let updated = changes.updated(Note.self).compactMap(\.new)
      for note in changes.inserted(Note.self) + updated where note.text != note.text.lowercased() {
        let stored = Note(id: note.id, text: note.text.lowercased(), stars: note.stars)
        memory.insert([stored])
        changes.report(stored: stored)
      }
      let count = try await memory.count(RecordQuery<Note>())
      memory.insert([Count(id: 0, notes: count)])
      changes.report(alsoChanged: [AnyRef(Ref<Count>(0))])
    }
  }

  private static func cache(_ store: some BackingStore) throws -> GraphCache {
    try GraphCache(for: Note.self, Count.self, store: store)
  }

  @Test func `a commit shows the record as stored`() async throws {
    let cache = try Self.cache(LoweringStore())
    var heard = cache.observe(Ref<Note>(1)).makeAsyncIterator()
    let changes = try await cache.write { tx in
      try tx.insert(Note(id: 1, text: "ABC"))
      try tx.insert(Note(id: 2, text: "abc"))
    }
    #expect(changes.inserted(Note.self).map(\.text) == ["abc", "abc"])
    #expect(cache.peek(Ref<Note>(1))?.text == "abc")
    var shown: Note?
    while shown == nil, let change = try await heard.next() { shown = change.value }
    #expect(shown?.text == "abc")
    let update = try await cache.write { tx in try tx.update(Ref<Note>(1), \.text, to: "Def") }
    #expect(update.updated(Note.self).map(\.new) == [Note(id: 1, text: "def")])
    try await cache.write { tx in try tx.apply(update.inverted) }
    #expect(cache.peek(Ref<Note>(1))?.text == "abc")
  }

  @Test func `records changed beyond the change set are read again`() async throws {
    let cache = try Self.cache(LoweringStore())
    try await cache.write { tx in try tx.insert(Note(id: 1, text: "a")) }
    #expect(try await cache.find(Ref<Count>(0))?.notes == 1)
    try await cache.write { tx in try tx.insert(Note(id: 2, text: "b")) }
    #expect(try await cache.find(Ref<Count>(0))?.notes == 2)
  }

  @Test func `a committed optimistic write shows the record as stored`() async throws {
    let cache = try Self.cache(LoweringStore())
    _ = try await cache.find(Ref<Count>(0))
    try await cache.writeOptimistically { tx in
      try tx.insert(Note(id: 1, text: "ABC"))
    }.outcome()
    #expect(try await cache.find(Ref<Note>(1))?.text == "abc")
    #expect(try await cache.find(Ref<Count>(0))?.notes == 1)
  }

  @Test func `a near tier keeps no copy of the record as submitted`() async throws {
    let near = MemoryStore()
    let far = LoweringStore()
    let store = TieredStore(near: near, far: far, schema: try GraphSchema(Note.self, Count.self))
    let cache = try Self.cache(store)
    try await cache.write { tx in try tx.insert(Note(id: 1, text: "a")) }
    #expect(try await cache.find(Ref<Count>(0))?.notes == 1)
    try await cache.write { tx in try tx.insert(Note(id: 2, text: "B")) }
    let next = try Self.cache(store)
    #expect(try await next.find(Ref<Note>(2))?.text == "b")
    #expect(try await next.find(Ref<Count>(0))?.notes == 2)
  }
}
