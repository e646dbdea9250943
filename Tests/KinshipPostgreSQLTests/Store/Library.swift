#if PostgreSQL
  import Foundation
  import Kinship
  import KinshipPostgreSQL

  /// A library whose database several programs write to: with cascades, lists of both kinds, ids of
  /// every kind, keys besides them, and names that SQL has to quote.
  enum Library {
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

    /// Nobody changes it.
    struct Witness: GraphRecord, Codable, Equatable { let id: Int }

    static let schema = #"""
      CREATE TABLE shelf (
        id bigint PRIMARY KEY, name text UNIQUE,
        parent bigint REFERENCES shelf ON DELETE SET NULL ON UPDATE CASCADE);
      CREATE TABLE book (
        isbn text PRIMARY KEY, title text, place int,
        shelf bigint REFERENCES shelf ON DELETE CASCADE ON UPDATE CASCADE);
      CREATE UNIQUE INDEX title ON book (title) WHERE title <> 'free';
      CREATE TABLE copy (
        book text REFERENCES book ON DELETE CASCADE ON UPDATE CASCADE, number int, state text,
        PRIMARY KEY (book, number));
      CREATE TABLE "the tags'" ("the ""id""" uuid PRIMARY KEY, name text);
      CREATE TABLE "shelf-tag" (
        shelf bigint REFERENCES shelf ON DELETE CASCADE ON UPDATE CASCADE,
        "tag id" uuid REFERENCES "the tags'" ON DELETE CASCADE ON UPDATE CASCADE, place int,
        UNIQUE (shelf, "tag id"));
      CREATE TABLE witness (id int PRIMARY KEY);
      INSERT INTO witness VALUES (1);
      """#

    static func store(
      _ conninfo: String, _ configuration: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) async throws -> PostgreSQLStore {
      try await PostgreSQLStore(
        conninfo,
        PostgreSQLTable<Shelf>(
          "shelf",
          lists: [
            .toMany(\.books, table: "book", foreignKey: "shelf", key: "isbn", orderedBy: "place"),
            .toMany(\.children, table: "shelf", foreignKey: "parent", key: "id"),
            .toMany(
              \.tags, through: "shelf-tag", from: "shelf", to: "tag id", orderedBy: "place"),
          ]),
        PostgreSQLTable<Book>("book", id: "isbn"),
        PostgreSQLTable<Copy>("copy", id: .columns((\.book, "book"), (\.number, "number"))),
        PostgreSQLTable<Tag>("the tags'", id: #"the "id""#),
        PostgreSQLTable<Witness>("witness"), configuration: configuration)
    }

    static func cache(_ store: PostgreSQLStore) throws -> GraphCache {
      try GraphCache(
        for: Shelf.self, Book.self, Copy.self, Tag.self, Witness.self, store: store)
    }

    static func tag(_ number: Int) -> UUID {
      var bytes = [UInt8](repeating: 0, count: 16)
      bytes[15] = UInt8(number)
      return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// The tag's id as SQL has it.
    static func uuid(_ number: Int) -> String { "'\(tag(number).uuidString)'::uuid" }
  }
#endif
