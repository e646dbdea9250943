import Kinship
import KinshipTranslation
import KinshipTestSupport
import Testing

/// Models that are values, as rows are: they are saved.
struct RowModelTests {
  struct Row: Identifiable, Sendable {
    let id: String
    var columns: [String: String] = [:]
  }

  struct Word: GraphRecord, Hashable {
    let id: String
    var text: String
    var next: Ref<Word>?

    static let relationships: Relationships<Word> = [.toOne(\.next)]
  }

  struct WordTranslator: Translator {
    func record(from row: Row) throws -> Word {
      Word(
        id: row.id, text: try required(row.columns["text"], "text"),
        next: row.columns["next"].map { Ref($0) })
    }

    func update(_ row: inout Row, from word: Word, in models: ModelMap) throws {
      row.columns["text"] = word.text
      // The row must exist, as a foreign key requires.
      row.columns["next"] = try models.model(for: word.next, by: self)?.id
    }
  }

  final class Table: TranslationContext {
    var rows: [String: Row] = [:]

    func models<T: Translator>(for ids: [T.Translated.ID], by translator: T) throws -> [T.Model] {
      let ids = Set(ids.map { AnyHashable($0) })
      return rows.values.filter { ids.contains($0.id) } as? [T.Model] ?? []
    }

    func insertModel<T: Translator>(for record: T.Translated, by translator: T) throws -> T.Model {
      guard let id = record.id as? String, let row = Row(id: id) as? T.Model else {
        throw UnexpectedModel(expected: Row.self, found: T.Model.self)
      }
      return row
    }

    func save<T: Translator>(_ model: T.Model, by translator: T) throws {
      if let row = model as? Row { rows[row.id] = row }
    }

    func delete<T: Translator>(_ model: T.Model, by translator: T) throws {
      if let row = model as? Row { rows[row.id] = nil }
    }
  }

  actor Database: ModelSession {
    private let table = Table()

    func read<Answer: Sendable>(
      _ body: @escaping @Sendable (Table) throws -> Answer
    ) throws -> Answer { try body(table) }

    func write<Answer: Sendable>(
      _ body: @escaping @Sendable (Table) throws -> Answer
    ) throws -> Answer {
      let before = table.rows
      do { return try body(table) } catch {
        table.rows = before
        throw error
      }
    }
  }

  @Test func `rows are written and read`() async throws {
    let store = try TranslatingStore(Database(), WordTranslator())
    let cache = try GraphCache(for: Word.self, store: store)
    try await cache.write { tx in
      try tx.insert(Word(id: "a", text: "one", next: "b"))
      try tx.insert(Word(id: "b", text: "two", next: "a"))
    }
    try await cache.write { tx in
      try tx.update(Ref<Word>("a"), \.text, to: "uno")
      try tx.insert(Word(id: "c", text: "three", next: "a"))
    }
    let found = try await store.fetch(Word.self, ids: ["c", "b", "a"])
    #expect(
      Set(found) == [
        Word(id: "a", text: "uno", next: "b"), Word(id: "b", text: "two", next: "a"),
        Word(id: "c", text: "three", next: "a"),
      ])
    await #expect(throws: KinshipError.self) {
      try await store.apply(ChangeSet(inserting: [Word(id: "d", text: "four", next: "z")]))
    }
    #expect(try await store.fetch(Word.self, ids: ["d"]).isEmpty)
  }

  struct KeepingTranslator: Translator {
    func record(from row: Row) throws -> Word { try WordTranslator().record(from: row) }

    func update(_ row: inout Row, from word: Word, in models: ModelMap) throws {
      try WordTranslator().update(&row, from: word, in: models)
    }

    func unmapped(of row: Row) throws -> (any Sendable)? { row.columns["note"] }

    func restore(_ unmapped: any Sendable, to row: inout Row) throws {
      row.columns["note"] = unmapped as? String
    }
  }

  @Test func `an undone deletion restores what the translator keeps`() async throws {
    let database = Database()
    let store = try TranslatingStore(database, KeepingTranslator())
    let word = Word(id: "a", text: "one")
    try await store.apply(ChangeSet(inserting: [word]))
    try await database.write { $0.rows["a"]?.columns["note"] = "outside" }
    let changes = ChangeSet(deleting: [word])
    try await store.apply(changes)
    #expect(try await database.read { $0.rows["a"]?.columns } == nil)
    try await store.apply(changes.inverted)
    #expect(
      try await database.read { $0.rows["a"]?.columns } == ["text": "one", "note": "outside"])
  }
}
