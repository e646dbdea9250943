import Kinship
import KinshipTestSupport
import KinshipTranslation
import Testing

/// Stand-ins for managed objects of Core Data, whose texts are optional.
final class AuthorObject: TranslationExamples.FamilyObject {
  typealias Author = CookbookExamples.Author

  var name: String?
}

final class BookObject: TranslationExamples.FamilyObject {
  typealias Book = CookbookExamples.Book

  var title: String?
  var author: AuthorObject?
}

/// The recipes that move from another library, except GRDB: that one needs SQLite.
extension CookbookExamples {
  struct Book: GraphRecord, Codable, Equatable {
    let id: Int
    var title: String
    var author: Ref<Author>?

    static let relationships: Relationships<Book> = [.toOne(\.author)]
  }

  // MARK: SwiftData

  /// Stands in for a `@ModelActor`, which would fetch with a `FetchDescriptor`.
  actor Library {
    private let rows = (1...1_200).map { (id: $0, title: "Book \($0)") }

    func books(offset: Int, limit: Int) throws -> [Book] {
      rows.dropFirst(offset).prefix(limit).map { Book(id: $0.id, title: $0.title, author: 7) }
    }
  }

  @Test func `models are copied in batches`() async throws {
    let library = Library()
    let store = MemoryStore()
    let cache = try GraphCache(for: Book.self, Author.self, store: store)

    var offset = 0
    while true {
      let books = try await library.books(offset: offset, limit: 500)
      if books.isEmpty { break }
      try await cache.write { tx in
        for book in books { try tx.put(book) }
      }
      offset += books.count
    }

    #expect(store.count(of: Book.self) == 1_200 && store[Ref<Book>(1_200)]?.author == 7)
  }

  // MARK: Core Data

  typealias Session = TranslationExamples.FamilyModels

  @Test func `managed objects stay where they are`() async throws {
    let session = Session()

    let store = try TranslatingStore(session, BookObject.mapping, AuthorObject.mapping)
    let cache = try GraphCache(for: Book.self, Author.self, store: store)

    try await cache.write { tx in
      try tx.insert(Author(id: 7, name: "Ada"))
      try tx.insert(Book(id: 1, title: "Notes", author: 7))
    }
    let stored = try await session.read { context in
      context.allObjects(of: BookObject.self).compactMap { ($0 as? BookObject)?.author?.name }
    }
    #expect(stored == ["Ada"])
    await cache.removeAll()
    #expect(try await cache.graph(of: Ref<Book>(1), .generations(1)).root.author?.name == "Ada")
  }

  // MARK: CohesionKit

  struct BookEntity: RecordTree {
    let id: Int
    let title: String
    let author: Author

    func root(adding nested: inout NestedRecords) -> Book {
      Book(id: id, title: title, author: nested.add(author))
    }
  }

  @MainActor @Test func `an aggregate becomes records`() async throws {
    let cache = try GraphCache(for: Book.self, Author.self, capacity: 2)
    let entity = BookEntity(id: 1, title: "Notes", author: Author(id: 7, name: "Ada"))

    let book = try await cache.put(nested: [entity])[0]  // store(entity:)
    let current = cache.lease([book], named: "current")  // an alias
    let observed = Live(cache, book)  // an EntityObserver

    #expect(observed.value == Book(id: 1, title: "Notes", author: 7))
    try await cache.update(book, \.title, to: "Sketches")
    try await wait { observed.value?.title == "Sketches" }
    try await cache.put(contentsOf: (2...9).map { Book(id: $0, title: "") })
    #expect(cache.peek(book) != nil && cache.peek(Ref<Author>(7)) == nil)
    withExtendedLifetime(current) {}
  }
}

extension AuthorObject {
  static let mapping: Mapping<AuthorObject, Author> = Mapping(
    id: \.id, Author.init, .map(\.name, \.name))
}

extension BookObject {
  static let mapping: Mapping<BookObject, Book> = Mapping(
    id: \.id, Book.init,
    .map(\.title, \.title),
    .map(\.author, \.author, by: AuthorObject.mapping))
}
