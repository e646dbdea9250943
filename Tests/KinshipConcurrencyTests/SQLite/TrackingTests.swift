#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import KinshipSync
  import KinshipTestSupport
  import Testing

  @testable import KinshipStoreTestSupport

  /// The log names every changed record, and nothing else.
  struct TrackingTests {
    typealias Shelf = Archive.Shelf
    typealias Book = Archive.Book
    typealias Copy = Archive.Copy
    typealias Tag = Archive.Tag

    private func shelves(_ ids: Int...) -> Set<AnyRef> { Set(ids.map { AnyRef(Ref<Shelf>($0)) }) }
    private func books(_ ids: String...) -> Set<AnyRef> { Set(ids.map { AnyRef(Ref<Book>($0)) }) }
    private func tags(_ ids: Int...) -> Set<AnyRef> {
      Set(ids.map { AnyRef(Ref<Tag>(Archive.tag($0))) })
    }
    private func copy(_ book: String, _ number: Int) -> Set<AnyRef> {
      [AnyRef(Ref<Copy>(.init(book: book, number: number)))]
    }

    /// Shelves 1 to 3, of which 2 is in 1; books on 1 and 2; a copy; tags of shelf 1.
    private static let contents = """
      INSERT INTO shelf VALUES (1, 'One', NULL), (2, 'Two', 1), (3, 'Three', NULL);
      INSERT INTO book VALUES ('a', 'A', 0, 1), ('b', 'B', 1, 1), ('c', 'C', 0, 2);
      INSERT INTO copy VALUES ('a', 7, 'new'), ('c', -7, NULL);
      INSERT INTO "the tags'" VALUES (\(Archive.blob(1)), 'x'), (\(Archive.blob(2)), 'y');
      INSERT INTO "shelf-tag" VALUES (1, \(Archive.blob(1)), 0), (1, \(Archive.blob(2)), 1);
      """

    private struct World {
      let database = TemporaryDatabase()
      let store: SQLiteStore
      let other: OtherConnection

      init() async throws {
        store = try Archive.store(at: database.path)
        try await store.execute(TrackingTests.contents)
        try await store.installTracking()
        other = try OtherConnection(database.path)
        try other.execute("PRAGMA foreign_keys = ON")
      }

      /// The changes that the log names after a statement.
      func changes(by sql: String) async throws -> StoreChanges {
        let cursor = try await store.changes(since: nil).cursor
        try? other.execute(sql)
        return try await store.changes(since: cursor)
      }
    }

    // MARK: Logged changes

    @Test func `every statement is logged`() async throws {
      let tag = #""shelf-tag""#
      let expected: [(sql: String, refs: Set<AnyRef>)] = [
        ("INSERT INTO shelf VALUES (4, 'Four', NULL)", shelves(4)),
        ("INSERT INTO shelf VALUES (4, 'Four', 3)", shelves(3, 4)),
        ("INSERT INTO book VALUES ('d', 'D', 0, 3)", books("d").union(shelves(3))),
        ("INSERT INTO book VALUES ('d', 'D', 0, NULL)", books("d")),
        ("UPDATE shelf SET name = 'New' WHERE id = 3", shelves(3)),
        ("UPDATE shelf SET name = 'Nowhere' WHERE id = 9", []),
        ("UPDATE shelf SET id = 5 WHERE id = 3", shelves(3, 5)),
        ("UPDATE book SET title = 'New' WHERE isbn = 'a'", books("a")),
        ("UPDATE book SET shelf = 2 WHERE isbn = 'a'", books("a").union(shelves(1, 2))),
        ("UPDATE book SET shelf = NULL WHERE isbn = 'a'", books("a").union(shelves(1))),
        ("UPDATE book SET place = 5 WHERE isbn = 'a'", books("a").union(shelves(1))),
        (
          "UPDATE book SET isbn = 'z' WHERE isbn = 'a'",
          books("a", "z").union(shelves(1)).union(copy("a", 7)).union(copy("z", 7))
        ),
        ("UPDATE copy SET number = 8 WHERE book = 'a'", copy("a", 7).union(copy("a", 8))),
        ("DELETE FROM copy", copy("a", 7).union(copy("c", -7))),
        // Cascades.
        (
          "DELETE FROM shelf WHERE id = 2",
          shelves(1, 2).union(books("c")).union(copy("c", -7))
        ),
        ("UPDATE shelf SET id = 9 WHERE id = 2", shelves(1, 2, 9).union(books("c"))),
        ("DELETE FROM \"the tags'\" WHERE name = 'x'", tags(1).union(shelves(1))),
        // Lists between.
        ("INSERT INTO \(tag) VALUES (3, \(Archive.blob(1)), 0)", shelves(3)),
        ("UPDATE \(tag) SET shelf = 2 WHERE place = 1", shelves(1, 2)),
        ("UPDATE \(tag) SET place = 7 WHERE place = 1", shelves(1)),
        ("DELETE FROM \(tag)", shelves(1)),
        // A row that replaces others, by its id and by other keys.
        ("REPLACE INTO shelf VALUES (3, 'New', NULL)", shelves(3)),
        ("REPLACE INTO shelf VALUES (4, 'THREE', NULL)", shelves(3, 4)),
        (
          "REPLACE INTO book VALUES ('a', 'New', 0, 3)",
          books("a").union(shelves(1, 3)).union(copy("a", 7))
        ),
        (
          "REPLACE INTO book VALUES ('d', 'C', 0, 1)",
          books("c", "d").union(shelves(1, 2)).union(copy("c", -7))
        ),
        (
          "UPDATE OR REPLACE book SET title = 'C' WHERE isbn = 'a'",
          books("a", "c").union(shelves(2)).union(copy("c", -7))
        ),
        (
          "REPLACE INTO book (rowid, isbn) VALUES (3, 'd')",
          books("c", "d").union(shelves(2)).union(copy("c", -7))
        ),
        ("UPDATE OR REPLACE \(tag) SET rowid = 1 WHERE rowid = 2", shelves(1)),
        ("REPLACE INTO \(tag) (rowid, shelf) VALUES (2, 3)", shelves(1, 3)),
        ("REPLACE INTO copy VALUES ('a', 7, 'old')", copy("a", 7)),
        (
          "INSERT INTO shelf VALUES (3, 'x', NULL) ON CONFLICT (id) DO UPDATE SET parent = 1",
          shelves(1, 3)
        ),
        // A change that is rolled back is not logged.
        ("BEGIN; DELETE FROM shelf; ROLLBACK", []),
        (
          """
          BEGIN; DELETE FROM copy WHERE book = 'c'; SAVEPOINT s; DELETE FROM copy; ROLLBACK TO s;
          COMMIT
          """, copy("c", -7)
        ),
        ("INSERT INTO shelf VALUES (1, 'x', NULL)", []),
      ]
      for (sql, refs) in expected {
        let world = try await World()
        let told = try #require(try await world.changes(by: sql).refs, "\(sql)")
        #expect(told == refs, "\(sql)")
      }
    }

    /// If a program lets triggers run for replaced rows, the log is the same.
    @Test func `recursive triggers log the same changes`() async throws {
      let world = try await World()
      try world.other.execute("PRAGMA recursive_triggers = ON")
      let told = try await world.changes(by: "REPLACE INTO shelf VALUES (4, 'THREE', NULL)").refs
      #expect(told == shelves(3, 4))
    }

    struct Entry<Number: Hashable & Codable & Sendable>: GraphRecord, Codable, Equatable {
      static var recordName: String { "Entry" }
      struct ID: Hashable, Codable {
        let word: String
        let key: UUID
        let number: Number
      }
      let word: String
      let key: UUID
      let number: Number
      var id: ID { ID(word: word, key: key, number: number) }
    }

    /// The changes that the log names after an entry is inserted.
    private func changes<Number>(by entry: Entry<Number>) async throws -> StoreChanges {
      let store = try SQLiteStore(
        at: ":memory:",
        SQLiteTable<Entry<Number>>(
          "entry", id: .columns((\.word, "word"), (\.key, "key"), (\.number, "number")),
          formats: SQLFormats(uuids: .blob)),
        configuration: SQLiteConfiguration(
          setup: "CREATE TABLE entry (word TEXT, key BLOB, number)"))
      try await store.installTracking()
      let cursor = try await store.changes(since: nil).cursor
      try await GraphCache(for: Entry<Number>.self, store: store).write { try $0.insert(entry) }
      #expect(try await store.fetch(Entry<Number>.self, ids: [entry.id]) == [entry])
      return try await store.changes(since: cursor)
    }

    @Test(arguments: [
      "", "a'b", #"a"b\c"#, "t", "\u{0}x\u{1}\u{7F}", "\n\t", "höl\u{301}🎈", "[1,2]", "null",
    ])
    func `an id of several columns is logged as it is`(word: String) async throws {
      for number in [0, -3, Int.min, .max] {
        let entry = Entry(word: word, key: UUID(), number: number)
        #expect(try await changes(by: entry).refs == [AnyRef(entry.ref)])
      }
      // As text the number would not be exact, so the change may be of any record of the type.
      let changes = try await changes(by: Entry(word: word, key: UUID(), number: 0.1))
      guard case .all(let type)? = changes.changes.first?.extent, changes.changes.count == 1 else {
        Issue.record("\(changes)")
        return
      }
      #expect(ObjectIdentifier(type) == ObjectIdentifier(Entry<Double>.self))
    }

    struct Word: GraphRecord, Codable, Equatable { let id: String }
    struct Item: GraphRecord, Codable, Equatable { let id: UUID }

    /// A new record replaces one whose id SQLite considers equal.
    @Test func `a replaced id that differs only in case is logged`() async throws {
      let database = TemporaryDatabase()
      let setup = """
        CREATE TABLE word (id TEXT PRIMARY KEY COLLATE NOCASE); INSERT INTO word VALUES ('abc');
        CREATE TABLE item (id TEXT PRIMARY KEY);
        """
      let store = try SQLiteStore(
        at: database.path, SQLiteTable<Word>("word"), SQLiteTable<Item>("item"),
        configuration: SQLiteConfiguration(setup: setup))
      try await store.installTracking()
      let cursor = try await store.changes(since: nil).cursor
      let other = try OtherConnection(database.path)
      try other.execute("REPLACE INTO word VALUES ('ABC')")
      let id = UUID()
      try other.execute("INSERT INTO item VALUES ('\(id.uuidString.lowercased())')")
      let changes = try await store.changes(since: cursor)
      #expect(
        changes.refs == [
          AnyRef(Ref<Word>("abc")), AnyRef(Ref<Word>("ABC")), AnyRef(Ref<Item>(id)),
        ])
      // A value that is not an id may stand for any id.
      try other.execute("INSERT INTO item VALUES ('nonsense')")
      let next = try await store.changes(since: changes.cursor)
      #expect(next.changes.count == 1)
      guard case .all(let type)? = next.changes.first?.extent else {
        Issue.record("\(next)")
        return
      }
      #expect(ObjectIdentifier(type) == ObjectIdentifier(Item.self))
      // A store ignores changes of tables that it does not map.
      let half = try SQLiteStore(at: database.path, SQLiteTable<Word>("word"))
      #expect(try await half.tracking == .complete)
      #expect(try await half.changes(since: cursor).refs?.count == 2)
    }

    struct Phrase: GraphRecord, Codable, Equatable {
      let id: String
      var words: [Ref<Word>] = []
      static let relationships: Relationships<Phrase> = [.toMany(\.words)]
    }

    /// A list that SQL considers unchanged has changed.
    @Test func `a list is compared bit by bit`() async throws {
      let database = TemporaryDatabase()
      let setup = """
        CREATE TABLE word (id TEXT PRIMARY KEY);
        CREATE TABLE phrase (id TEXT PRIMARY KEY COLLATE NOCASE);
        CREATE TABLE phrase_word (phrase TEXT, word TEXT COLLATE NOCASE);
        INSERT INTO phrase VALUES ('p'), ('q');
        INSERT INTO phrase_word VALUES ('p', 'a'), ('q', 'b'), ('P', 'c');
        """
      let store = try SQLiteStore(
        at: database.path, SQLiteTable<Word>("word"),
        SQLiteTable<Phrase>(
          "phrase", lists: [.toMany(\.words, through: "phrase_word", from: "phrase", to: "word")]),
        configuration: SQLiteConfiguration(setup: setup))
      try await store.installTracking()
      let other = try OtherConnection(database.path)
      for statement in [
        "UPDATE phrase_word SET word = 'A' WHERE word = 'a'",
        "UPDATE phrase_word SET phrase = 'p' WHERE word = 'c'",
        "UPDATE phrase SET id = 'P' WHERE id = 'p'",
        "DELETE FROM phrase_word WHERE phrase = 'p'",
      ] {
        let ids = ["p", "P", "q"]
        let before = try await store.fetch(Phrase.self, ids: ids)
        let cursor = try await store.changes(since: nil).cursor
        try other.execute(statement)
        let after = try await store.fetch(Phrase.self, ids: ids)
        let told = try await store.changes(since: cursor).refs ?? []
        for phrase in Set(before.map(\.id)).union(after.map(\.id)) {
          let (old, new) = (before.first { $0.id == phrase }, after.first { $0.id == phrase })
          #expect(old == new || told.contains(AnyRef(Ref<Phrase>(phrase))), "\(statement)")
        }
      }
    }

    // MARK: Installing

    @Test func `the log is created once`() async throws {
      let database = TemporaryDatabase()
      let store = try Archive.store(at: database.path)
      #expect(try await store.tracking == .absent)
      // By another program.
      let other = try OtherConnection(database.path)
      try other.execute(try await store.trackingSQL)
      #expect(try await store.tracking == .complete)
      let cursor = try await store.changes(since: nil).cursor
      try await store.installTracking()
      #expect(try await store.changes(since: cursor).cursor == cursor)
      // Running the SQL again is harmless, except that everything is dropped.
      try await store.execute(try await store.trackingSQL)
      #expect(try await store.tracking == .complete)
      #expect(try await store.changes(since: cursor).refs == nil)
    }

    @Test func `an outdated trigger is noticed`() async throws {
      let world = try await World()
      let name = "kinship Book book after update"
      for change in [
        #"DROP TRIGGER "\#(name)""#, "CREATE UNIQUE INDEX places ON book (place, shelf)",
        #"""
        DROP TRIGGER "\#(name)"; CREATE TRIGGER "\#(name)" AFTER UPDATE ON book BEGIN SELECT 1; END
        """#, "DROP TABLE kinship_change",
      ] {
        let cursor = try await world.store.changes(since: nil).cursor
        try world.other.execute(change)
        let outside = try await world.store.changes(since: cursor)
        #expect(outside.refs == nil, "\(change)")
        if change.hasPrefix("DROP TABLE") {
          #expect(try await world.store.tracking == .absent)
        } else {
          guard case .incomplete(let lacking) = try await world.store.tracking else {
            Issue.record("\(change): \(try await world.store.tracking)")
            return
          }
          #expect(!lacking.isEmpty)
        }
        // Without the log, commits by others count as a change of everything, and nothing else
        // does.
        #expect(try await world.store.changes(since: outside.cursor).refs == [])
        try await world.store.installTracking()
        #expect(try await world.store.tracking == .complete)
      }
    }

    /// An emptied log has no place; the next row is one.
    @Test func `an emptied log continues`() async throws {
      let world = try await World()
      let cursor = try await world.store.changes(since: nil).cursor
      try world.other.execute("DELETE FROM kinship_change")
      let emptied = try await world.store.changes(since: cursor)
      #expect(emptied.refs == nil)
      #expect(try await world.store.changes(since: emptied.cursor).refs == [])
      try world.other.execute("UPDATE shelf SET name = 'New' WHERE id = 1")
      let next = try await world.store.changes(since: emptied.cursor)
      #expect(next.refs == nil)
      try world.other.execute("UPDATE shelf SET name = 'Newer' WHERE id = 1")
      #expect(try await world.store.changes(since: next.cursor).refs == shelves(1))
    }

    @Test func `a view cannot be tracked`() async throws {
      let store = try SQLiteStore(
        at: ":memory:", SQLiteTable<Word>("words"),
        configuration: SQLiteConfiguration(
          setup: "CREATE TABLE word (id TEXT); CREATE VIEW words AS SELECT id FROM word"))
      guard case .impossible(let error) = try await store.tracking else {
        Issue.record("\(try await store.tracking)")
        return
      }
      await #expect(throws: error) { try await store.installTracking() }
      await #expect(throws: error) { try await store.trackingSQL }
      #expect(try await store.changes(since: nil).refs == [])
    }
  }
#endif
