import Foundation
import Kinship
import KinshipTestSupport
import Testing

/// Optimistic concurrency: versions that the store compares.
struct VersionTests {
  struct Note: Versioned, Codable, Equatable {
    let id: Int
    var text: String
    var stars = 0
    var version = 0
  }

  private let store = MemoryStore([Note(id: 1, text: "first")])
  private let ref: Ref<Note> = 1

  private func cache() throws -> GraphCache { try GraphCache(for: Note.self, store: store) }

  @Test func `each update increments the version`() async throws {
    let cache = try cache()
    try await cache.write { [ref] tx in try tx.update(ref, \.text, to: "second") }
    try await cache.write { [ref] tx in try tx.update(ref) { $0.text = "third" } }
    #expect(store[ref] == Note(id: 1, text: "third", version: 2))
    #expect(cache.peek(ref) == store[ref])
  }

  @Test func `a conflict carries both records and changes nothing`() async throws {
    let cache = try cache()
    _ = try await cache.resolve(ref)
    let theirs = Note(id: 1, text: "theirs", version: 1)
    store.insert([theirs])
    do {
      try await cache.write { [ref] tx in try tx.update(ref, \.text, to: "mine") }
      Issue.record("there is no conflict")
    } catch KinshipError.conflict(let conflicting, let mine, let found) {
      #expect(conflicting == AnyRef(ref))
      #expect((mine as? Note)?.text == "mine")
      #expect(found as? Note == theirs)
    }
    #expect(store[ref] == theirs)
    #expect(cache.peek(ref)?.text == "first")
    await #expect(throws: KinshipError.self) {
      try await cache.write { [ref] tx in try tx.delete(ref) }
    }
    #expect(store[ref] == theirs)
  }

  /// Caches that do not follow each other keep a rule about several records if they require the
  /// records that they have read.
  @Test(arguments: [true, false])
  func `a transaction requires the records that it has read`(requires: Bool) async throws {
    var broken = 0
    for seed in try Effort().seeds(200) {
      var generator = SplitMix64(seed: seed)
      let refs = (0..<3).map { Ref<Note>($0) }
      let store = MemoryStore(refs.map { Note(id: $0.id, text: "on", stars: 1) })
      let caches = try (0..<2).map { _ in try GraphCache(for: Note.self, store: store) }
      for _ in 0..<12 {
        let cache = caches[Int.random(in: 0..<2, using: &generator)]
        let own = refs[Int.random(in: 0..<3, using: &generator)]
        let value = Int.random(in: 0...1, using: &generator)
        // At least one record always has a star.
        try await cache.write(retries: 3) { tx in
          let others = refs.filter { $0 != own }
          guard others.contains(where: { (tx[$0]?.stars ?? 0) > 0 }) || value > 0 else { return }
          if requires { for ref in others { try tx.require(ref) } }
          try tx.update(own, \.stars, to: value)
        }
        if refs.allSatisfy({ store[$0]?.stars == 0 }) { broken += 1 }
      }
    }
    #expect((broken == 0) == requires)
  }

  @Test func `a retry works on the store's record`() async throws {
    let cache = try cache()
    _ = try await cache.resolve(ref)
    store.insert([Note(id: 1, text: "theirs", stars: 4, version: 1)])
    try await cache.write(retries: 1) { [ref] tx in try tx.update(ref) { $0.stars += 1 } }
    #expect(store[ref] == Note(id: 1, text: "theirs", stars: 5, version: 2))
    #expect(cache.peek(ref) == store[ref])
  }

  @Test func `an update is undone although others changed other properties`() async throws {
    let cache = try cache()
    let undoStack = UndoStack(cache)
    try await undoStack.write { [ref] tx in try tx.update(ref, \.text, to: "second") }
    try await cache.write { [ref] tx in try tx.update(ref, \.stars, to: 3) }
    try await undoStack.undo()
    #expect(store[ref] == Note(id: 1, text: "first", stars: 3, version: 3))
  }

  @Test func `a change set is Codable if its records are`() async throws {
    let cache = try cache()
    let changes = try await cache.write { [ref] tx in
      try tx.update(ref, \.text, to: "second")
      try tx.insert(Note(id: 2, text: "new"))
    }
    let decoder = JSONDecoder()
    decoder.userInfo[.kinshipSchema] = cache.schema
    let data = try JSONEncoder().encode(changes)
    let decoded = try decoder.decode(ChangeSet.self, from: data)
    #expect(decoded.inserted(Note.self) == changes.inserted(Note.self))
    #expect(decoded.updated(Note.self).map(\.old) == changes.updated(Note.self).map(\.old))
    #expect(decoded.updated(Note.self).map(\.new) == changes.updated(Note.self).map(\.new))
    let inverse = try decoded.inverted
    try await cache.write { tx in try tx.apply(inverse) }
    #expect(store[ref]?.text == "first")
    #expect(store.count(of: Note.self) == 1)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(ChangeSet.self, from: data) }
    decoder.userInfo[.kinshipSchema] = try GraphSchema(TestPlace.self)
    #expect(throws: KinshipError.self) { try decoder.decode(ChangeSet.self, from: data) }
  }
}
