import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// Law T2: an undo step undoes an effect, so a write without an effect is none.
@Suite(.tags(.lawT2))
struct UndoStepTests {
  private struct Note: GraphRecord, Equatable {
    let id: Int
    var text = ""
    var next: Ref<Note>?

    static let relationships: Relationships<Note> = [.toOne(\.next)]
  }

  /// A record that cannot be compared, except for one of its properties.
  private struct Plain: GraphRecord {
    struct Opaque: Sendable {}

    let id: Int
    var text = ""
    var opaque = Opaque()

    static let relationships: Relationships<Plain> = []
  }

  private let ref = Ref<Note>(1)
  private let plain = Ref<Plain>(1)
  private let cache: GraphCache
  private let stack: UndoStack

  init() async throws {
    let store = MemoryStore([Note(id: 1, text: "a"), Note(id: 2)])
    store.insert([Plain(id: 1, text: "a")])
    cache = try GraphCache(for: Note.self, Plain.self, store: store)
    stack = UndoStack(cache)
  }

  @Test func `setting a property to its own value is no undo step`() async throws {
    try await stack.write { tx in
      try tx.update(ref, \.text, to: "a")
      try tx.update(ref, .set(\.next, to: nil))
      try tx.update(plain, \.text, to: "a")
    }
    #expect(await stack.undoCount == 0)
    #expect(try await stack.undo() == nil)
  }

  @Test func `putting an equal record is no undo step`() async throws {
    try await stack.write { tx in
      try tx.update(ref) { $0.text = "a" }
      try tx.put(Note(id: 2))
    }
    #expect(await stack.undoCount == 0)
  }

  @Test func `one effective change makes an undo step`() async throws {
    try await stack.write { tx in
      try tx.update(ref, \.text, to: "a")
      try tx.update(Ref<Note>(2), \.text, to: "b")
    }
    #expect(await stack.undoCount == 1)
    try await stack.undo()
    #expect(try await cache.resolve(Ref<Note>(2)) == Note(id: 2))
  }

  @Test func `a group without an effect is no undo step`() async throws {
    await stack.beginGroup()
    try await stack.write { tx in try tx.update(ref, \.text, to: "b") }
    try await stack.write { tx in try tx.update(ref, \.text, to: "a") }
    await stack.endGroup()
    #expect(await stack.undoCount == 0)
  }

  @Test func `redo survives a write without an effect`() async throws {
    try await stack.write { tx in try tx.update(ref, \.text, to: "b") }
    try await stack.undo()
    try await stack.write { tx in try tx.update(ref, \.text, to: "a") }
    #expect(await stack.redoCount == 1)
    try await stack.redo()
    #expect(try await cache.resolve(ref).text == "b")
  }

  @Test func `setting a property that cannot be compared is an undo step`() async throws {
    try await stack.write { tx in try tx.update(plain, \.opaque, to: Plain.Opaque()) }
    #expect(await stack.undoCount == 1)
  }

  @Test func `store notes follow their undo step`() {
    let staging = Staging()
    staging.notes.keep("one", of: 1, String.self)
    let step = staging.takeStep()
    #expect(step.notes.kept(of: 1, String.self) as? String == "one")
    #expect(staging.notes.kept(of: 1, String.self) == nil)
    staging.notes.keep("two", of: 2, String.self)
    staging.undoStep()
    #expect(staging.notes.kept(of: 2, String.self) == nil)
  }
}
