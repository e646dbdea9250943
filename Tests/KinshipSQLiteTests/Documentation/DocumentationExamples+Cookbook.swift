#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import Testing

  @testable import KinshipStoreTestSupport

  /// The recipe that moves from GRDB, verbatim.
  struct CookbookExamples {
    struct Author: GraphRecord, Codable {
      let id: UUID
      var name: String
    }

    struct Book: GraphRecord, Codable {
      let id: Int
      var title: String
      var published: Date
      var author: Ref<Author>?

      static let relationships: Relationships<Book> = [.toOne(\.author)]
    }

    /// A book as GRDB reads it.
    struct Row: GraphRecord, Codable {
      let id: Int
      var published: String
    }

    /// A file with dates and UUIDs as GRDB stores them by default.
    private static let contents = """
      CREATE TABLE author (id BLOB PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, published DATETIME NOT NULL,
        authorId BLOB REFERENCES author(id));
      INSERT INTO author VALUES (x'00112233445566778899AABBCCDDEEFF', 'Ada');
      INSERT INTO book VALUES
        (1, 'Notes', '2001-01-01 00:00:01.500', x'00112233445566778899AABBCCDDEEFF');
      """

    @Test func `the file of GRDB is read and written in place`() async throws {
      let database = TemporaryDatabase()
      let path = database.path
      _ = try SQLiteStore(
        at: path, SQLiteTable<Author>("author", formats: SQLFormats(uuids: .blob)),
        configuration: SQLiteConfiguration(setup: Self.contents))

      let grdb = SQLFormats(dates: .text, uuids: .blob)  // its defaults
      let store = try SQLiteStore(
        at: path,
        SQLiteTable<Author>("author", formats: grdb),
        SQLiteTable<Book>("book", columns: [.column(\.author, "authorId")], formats: grdb))
      let cache = try GraphCache(for: Author.self, Book.self, store: store)

      let book = try await cache.graph(of: Ref<Book>(1), .generations(1)).root
      #expect(book.published == Date(timeIntervalSinceReferenceDate: 1.5))
      #expect(book.author?.name == "Ada")
      try await cache.write { tx in
        try tx.update(Ref<Book>(1), \.published, to: Date(timeIntervalSinceReferenceDate: 2.25))
      }
      let rows = try SQLiteStore(at: path, SQLiteTable<Row>("book"))
      #expect(
        try await rows.fetch(Row.self, ids: [1]).map(\.published) == ["2001-01-01 00:00:02.250"])
    }
  }
#endif
