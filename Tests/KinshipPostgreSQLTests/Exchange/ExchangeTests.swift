#if PostgreSQL && SQLite
  import Foundation
  import Kinship
  import KinshipTestSupport
  import KinshipTestTraits
  import KinshipTiers
  import Testing

  @testable import KinshipStoreTestSupport

  /// One app over any database: what differs is in one file, and is little.
  @Suite(.dedicatedThreads, .needsServer)
  struct ExchangeTests {
    private let directory: TemporaryDirectory
    private let database: TestDatabase
    private let server: BookServer

    init() throws {
      directory = try TemporaryDirectory()
      database = try TestDatabase.make()
      server = try BookServer()
    }

    /// All databases, each as its part of the file is called.
    private func stores() async throws -> [(name: String, store: any BackingStore)] {
      [
        ("Memory", memory()), ("Files", try await files(directory.url.appending(path: "files"))),
        ("SQLite", try sqlite(":memory:")), ("PostgreSQL", try await postgreSQL(database.conninfo)),
        ("HTTP", BookAPI(base: server.server.url)), ("An ORM", try objects()),
      ]
    }

    private static let shown = [
      "Beowulf, 1000, by nobody", "Emma, 1815, by Austen, who also wrote Persuasion",
      "Persuasion, 1817, by Austen, who also wrote Emma", "Frankenstein, 1818, by Shelley",
      "Frankenstein", "Frankenstein, 1818, by nobody",
      "Persuasion, 1818, by Austen, who also wrote Emma", "4 books",
    ]

    @Test func `the app shows the same over every database`() async throws {
      for (name, store) in try await stores() {
        #expect(try await BookShelf(store).run() == Self.shown, "\(name)")
      }
    }

    @Test func `a database takes 25 lines at most, all in one file`() async throws {
      let file = try RepositoryFile("Tests/KinshipPostgreSQLTests/Exchange/BookShelf+Stores.swift")
      let parts = file.text.split(separator: "// MARK: ").dropFirst().map { part in
        let lines = part.split(separator: "\n").filter {
          $0 != "#endif" && !$0.allSatisfy(\.isWhitespace)
        }
        return (name: String(lines[0]), lines: lines.count - 1)
      }
      #expect(parts.map(\.name) == (try await stores()).map(\.name))
      for (name, lines) in parts { #expect(lines <= 25, "\(name) takes \(lines) lines") }
      let app = try RepositoryFile("Tests/KinshipPostgreSQLTests/Exchange/BookShelf.swift")
      for word in ["SQL", "FileStore", "MemoryStore", "HTTP", "Translating", "Model"] {
        #expect(
          !app.text.replacing("#if PostgreSQL", with: "").contains(word), "the app knows \(word)")
      }
    }

    /// From each database to the next, while the app has it open.
    @Test func `the app moves from one database to the next`() async throws {
      let stores = try await stores().map(\.store)
      _ = try await BookShelf(stores[0]).run()
      let shown = try await BookShelf(stores[0]).cache.find(
        RecordQuery<Book>().sorted(by: \.id).view(BookRow.init))
      for (old, new) in zip(stores, stores.dropFirst()) {
        let mirrored = MirroredStore(
          reading: old, mirroring: new, types: [Author.self, Book.self])
        let cache = try BookShelf(mirrored).cache
        try await mirrored.fill()
        // A change is sent over HTTP with the value from before it.
        #expect(try await cache.find(Ref<Book>(1)) != nil)
        try await cache.write { tx in try tx.update(Ref<Book>(1), \.year, to: 1816) }
        #expect(try await mirrored.differences() == [])
        try await mirrored.switchOver()
        try await cache.write { tx in try tx.update(Ref<Book>(1), \.year, to: 1815) }
        #expect(
          try await BookShelf(new).cache.find(
            RecordQuery<Book>().sorted(by: \.id).view(BookRow.init)) == shown)
        #expect(mirrored.status.behind == 0 && mirrored.status.failures == 0)
      }
    }
  }
#endif
