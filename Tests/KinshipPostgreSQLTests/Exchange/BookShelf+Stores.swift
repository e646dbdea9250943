#if PostgreSQL && SQLite
  import Foundation
  import Kinship
  import KinshipFileStore
  import KinshipFoundation
  import KinshipPostgreSQL
  import KinshipSQLite
  import KinshipTranslation

  @testable import KinshipTestSupport

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  // All that the databases of the app have to themselves. A test counts the lines of each.

  // MARK: Memory

  func memory() -> any BackingStore { MemoryStore() }

  // MARK: Files

  func files(_ directory: URL) async throws -> any BackingStore {
    try await FileStore(at: directory, schema: GraphSchema(Author.self, Book.self))
  }

  // MARK: SQLite

  func sqlite(_ path: String) throws -> any BackingStore {
    try SQLiteStore(
      at: path, SQLiteTable<Author>("author"), SQLiteTable<Book>("book"),
      configuration: SQLiteConfiguration(
        setup: """
          CREATE TABLE IF NOT EXISTS author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          CREATE TABLE IF NOT EXISTS book (
            id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER NOT NULL, author INTEGER)
          """))
  }

  // MARK: PostgreSQL

  func postgreSQL(_ conninfo: String) async throws -> any BackingStore {
    try await PostgreSQLStore(
      conninfo, PostgreSQLTable<Author>("author"), PostgreSQLTable<Book>("book"),
      configuration: PostgreSQLConfiguration(
        setup: """
          CREATE TABLE IF NOT EXISTS author (id bigint PRIMARY KEY, name text NOT NULL);
          CREATE TABLE IF NOT EXISTS book (
            id bigint PRIMARY KEY, title text NOT NULL, year bigint NOT NULL, author bigint)
          """))
  }

  // MARK: HTTP

  struct BookAPI: HTTPStore {
    let base: URL
    let source = HTTPSource()

    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      try await get("id/\(ids)")
    }
    func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      try query.answer(from: try await get("all"))
    }
    func referrers<Source: GraphRecord, Target: GraphRecord>(
      to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
    ) async throws -> [Source] { try await get("\(relationship.name)/\(targets.map(\.id))") }
    private func get<R: GraphRecord>(_ path: String) async throws -> [R] {
      let request = URLRequest(url: base.appending(path: "\(R.recordName)/\(path)"))
      let list = [R].self as? any Decodable.Type
      return try await source.answer(to: request) { data in
        try list.flatMap { try JSONDecoder().decode($0, from: data) as? [R] } ?? []
      }
    }
    func apply(_ changes: ChangeSet) async throws {
      var request = URLRequest(url: base.appending(path: "changes"))
      (request.httpMethod, request.httpBody) = ("POST", try JSONEncoder().encode(changes))
      try await source.send(request)
    }
  }

  // MARK: An ORM

  struct AuthorValues: ModelValues { var (id, name) = (0, "") }
  final class AuthorModel: ManagedModel<AuthorValues> {}
  struct BookValues: ModelValues { var (id, title, year, author) = (0, "", 0, AuthorModel?.none) }
  final class BookModel: ManagedModel<BookValues> {}

  extension AuthorModel {
    static let mapping = Mapping<AuthorModel, Author>(
      id: \.id, Author.init, .map(\.name, \.values.name))
  }

  extension BookModel {
    static let mapping = Mapping<BookModel, Book>(
      id: \.id, Book.init, .map(\.title, \.values.title), .map(\.year, \.values.year),
      .map(\.author, \.values.author, by: AuthorModel.mapping))
  }

  func objects() throws -> any BackingStore {
    try TranslatingStore(FamilySession(), AuthorModel.mapping, BookModel.mapping)
  }
#endif
