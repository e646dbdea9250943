#if PostgreSQL
  import Foundation
  import Kinship

  // An app with a database. Nothing here knows which: that is in BookShelf+Stores.swift.

  struct Author: GraphRecord, Codable {
    let id: Int
    var name: String

    static let books = Inverse<Author, Book>(\.author)
  }

  struct Book: GraphRecord, Codable {
    let id: Int
    var title: String
    var year: Int
    var author: Ref<Author>?

    static let relationships: Relationships<Book> = [.toOne(\.author)]
  }

  /// A row of the app's list.
  struct BookRow: Equatable, Sendable {
    let text: String

    init(_ book: Node<Book>) {
      let others = book.author?[Author.books].filter { $0.id != book.id }.map(\.title) ?? []
      text =
        "\(book.title), \(book.year), by \(book.author?.name ?? "nobody")"
        + (others.isEmpty ? "" : ", who also wrote \(others.joined(separator: ", "))")
    }
  }

  /// The app: it fills a shelf, changes it, and shows what is there after each change.
  struct BookShelf {
    let cache: GraphCache

    init(_ store: any BackingStore) throws {
      cache = try GraphCache(for: Author.self, Book.self, store: store)
    }

    /// Runs the app; returns the lines that it shows.
    func run() async throws -> [String] {
      let all = RecordQuery<Book>().sorted(by: \.year)
      let late = RecordQuery<Book>(#Predicate { $0.year >= 1818 }).sorted(by: \.title)
      var lines: [String] = []
      try await cache.write { tx in
        try tx.insert(Author(id: 1, name: "Austen"))
        try tx.insert(Author(id: 2, name: "Shelley"))
        try tx.insert(Book(id: 1, title: "Emma", year: 1815, author: 1))
        try tx.insert(Book(id: 2, title: "Persuasion", year: 1817, author: 1))
        try tx.insert(Book(id: 3, title: "Frankenstein", year: 1818, author: 2))
        try tx.insert(Book(id: 4, title: "Beowulf", year: 1000))
      }
      await cache.removeAll()  // loads from the store from here on
      lines += try await cache.find(all.view(BookRow.init)).map(\.text)
      lines += try await cache.find(late).map(\.title)

      try await cache.write { tx in try tx.update(Ref<Book>(2), \.year, to: 1818) }
      try await cache.write { tx in try tx.delete(Ref<Author>(2)) }
      await cache.removeAll()
      lines += try await cache.find(late.view(BookRow.init)).map(\.text)
      lines.append("\(try await cache.find(all.count)) books")
      return lines
    }
  }
#endif
