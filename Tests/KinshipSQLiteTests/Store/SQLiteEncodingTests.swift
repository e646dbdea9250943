#if SQLite
  import Foundation
  import Kinship
  import KinshipTesting
  import KinshipSQLite
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  /// Texts have one order in any encoding of a database.
  @Suite(.dedicatedThreads)
  struct SQLiteEncodingTests {
    struct Word: GraphRecord, Codable, Equatable {
      let id: String
      var text: String?
    }

    private static let letters = ["", "a", "b", "\u{100}", "\u{FF41}", "\u{1F98A}", "\u{E000}"]

    @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
    func `texts sort by their UTF-8 in a database of any encoding`(encoding: String) async throws {
      let store = try SQLiteStore(
        at: ":memory:", SQLiteTable<Word>("word"),
        configuration: SQLiteConfiguration(
          setup: """
            PRAGMA encoding = '\(encoding)';
            CREATE TABLE word (id TEXT PRIMARY KEY, text TEXT)
            """))
      let words = Self.letters.flatMap { first in
        Self.letters.map { Word(id: first + "x" + $0, text: $0 + first) }
      }
      try await store.apply(ChangeSet(inserting: words))
      let model = MemoryStore(words)
      let byText = RecordQuery<Word>().sorted(by: \.text).sorted(by: \.id)
      for query in [byText, RecordQuery<Word>().sorted(by: \.id, .descending)] {
        #expect(try await store.fetch(query) == model.fetch(query))
        let cache = try GraphCache(for: Word.self, store: store)
        #expect(try await cache.find(query.first) == model.fetch(query).first)
        var page = try await cache.page(query, size: 5)
        var paged = page.records
        while page.hasMore {
          page = try await cache.page(query, size: 5, after: page.end)
          paged += page.records
        }
        #expect(paged == (try await model.fetch(query)))
      }
      for bound in Self.letters {
        let query = RecordQuery<Word>(#Predicate { ($0.text ?? "") < bound }).sorted(by: \.id)
        #expect(try await store.fetch(query) == model.fetch(query))
      }
      #expect(try await store.fetch(Word.self, ids: words.map(\.id)).count == words.count)
    }
  }
#endif
