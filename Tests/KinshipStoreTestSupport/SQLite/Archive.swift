#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import KinshipSync

  /// A library whose database several programs write: with cascades, lists of both kinds, ids of
  /// every kind, other keys, and names that SQL has to quote.
  enum Archive {
    struct Shelf: GraphRecord, Codable, Equatable {
      let id: Int
      var name: String?
      var parent: Ref<Shelf>?
      var books: [Ref<Book>] = []
      var children: [Ref<Shelf>] = []
      var tags: [Ref<Tag>] = []

      static let relationships: Relationships<Shelf> = [
        .toOne(\.parent), .toMany(\.books), .toMany(\.children), .toMany(\.tags),
      ]
    }

    struct Book: GraphRecord, Codable, Equatable {
      let id: String
      var title: String?
      var shelf: Ref<Shelf>?
      var place: Int?

      static let relationships: Relationships<Book> = [.toOne(\.shelf)]
    }

    struct Copy: GraphRecord, Codable, Equatable {
      struct ID: Hashable, Codable {
        let book: String
        let number: Int
      }
      let book: String
      let number: Int
      var state: String?
      var id: ID { ID(book: book, number: number) }
    }

    struct Tag: GraphRecord, Codable, Equatable {
      static let recordName = #"it's a "tag""#
      let id: UUID
      var name: String?
    }

    /// A record that no program changes.
    struct Witness: GraphRecord, Codable, Equatable { let id: Int }

    static let schema = #"""
      CREATE TABLE IF NOT EXISTS shelf (
        id INTEGER PRIMARY KEY, name TEXT UNIQUE COLLATE NOCASE,
        parent INTEGER REFERENCES shelf ON DELETE SET NULL ON UPDATE CASCADE);
      CREATE TABLE IF NOT EXISTS book (
        isbn TEXT PRIMARY KEY, title TEXT, place INTEGER,
        shelf INTEGER REFERENCES shelf ON DELETE CASCADE ON UPDATE CASCADE);
      CREATE UNIQUE INDEX IF NOT EXISTS title ON book (title) WHERE title <> 'free';
      CREATE TABLE IF NOT EXISTS copy (
        book TEXT REFERENCES book ON DELETE CASCADE ON UPDATE CASCADE, number INTEGER, state TEXT,
        PRIMARY KEY (book, number)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS "the tags'" ("the ""id""" BLOB PRIMARY KEY, name TEXT);
      CREATE TABLE IF NOT EXISTS "shelf-tag" (
        shelf INTEGER REFERENCES shelf ON DELETE CASCADE ON UPDATE CASCADE,
        "tag id" BLOB REFERENCES "the tags'" ON DELETE CASCADE ON UPDATE CASCADE, place INTEGER,
        UNIQUE (shelf, "tag id"));
      CREATE TABLE IF NOT EXISTS witness (id INTEGER PRIMARY KEY);
      INSERT OR IGNORE INTO witness VALUES (1);
      """#

    static let shelves = SQLiteTable<Shelf>(
      "shelf",
      lists: [
        .toMany(\.books, table: "book", foreignKey: "shelf", key: "isbn", orderedBy: "place"),
        .toMany(\.children, table: "shelf", foreignKey: "parent", key: "id"),
        .toMany(\.tags, through: "shelf-tag", from: "shelf", to: "tag id", orderedBy: "place"),
      ])
    static let books = SQLiteTable<Book>("book", id: "isbn")
    static let copies = SQLiteTable<Copy>(
      "copy", id: .columns((\.book, "book"), (\.number, "number")))
    static let tags = SQLiteTable<Tag>(
      "the tags'", id: #"the "id""#, formats: SQLFormats(uuids: .blob))
    static let witnesses = SQLiteTable<Witness>("witness")

    static func store(
      at path: String, setup: String = schema, access: SQLiteConfiguration.Access = .readWrite
    ) throws -> SQLiteStore {
      try SQLiteStore(
        at: path, shelves, books, copies, tags, witnesses,
        configuration: SQLiteConfiguration(
          access: access, synchronous: .off, setup: setup))
    }

    static func cache(_ store: SQLiteStore) throws -> GraphCache {
      try GraphCache(
        for: Shelf.self, Book.self, Copy.self, Tag.self, Witness.self, store: store)
    }

    static func tag(_ number: Int) -> UUID {
      var bytes = [UInt8](repeating: 0, count: 16)
      bytes[15] = UInt8(number)
      return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// The tag's id as SQL has it.
    static func blob(_ number: Int) -> String { "x'\(String(repeating: "0", count: 31))\(number)'" }
  }

  extension FollowingLimits {
    /// Nothing happens by time.
    static let byHand = FollowingLimits(
      interval: .seconds(3_600), maximumStaleness: .seconds(36_000), duringOutage: .serve)
  }

  extension StoreChanges {
    /// The records that are named; `nil` if more than these may have changed.
    var refs: Set<AnyRef>? {
      var refs: Set<AnyRef> = []
      for change in changes {
        guard case .records(let named) = change.extent else { return nil }
        refs.formUnion(named)
      }
      return refs
    }
  }
#endif
