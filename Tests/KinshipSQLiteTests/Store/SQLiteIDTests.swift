#if SQLite
  import Foundation
  import Kinship
  import KinshipTesting
  import KinshipSQLite
  import KinshipTestTraits
  import Testing

  /// Ids are equal if Swift says so, whatever a database says.
  @Suite(.dedicatedThreads)
  struct SQLiteIDTests {
    struct Place: GraphRecord, Codable, Equatable {
      let id: String
      var name: String
      var parent: Ref<Place>?

      static let relationships: Relationships<Place> = [.toOne(\.parent)]
    }

    private static func store(id: String, parent: String = "TEXT") throws -> SQLiteStore {
      try SQLiteStore(
        at: ":memory:", SQLiteTable<Place>("place"),
        configuration: SQLiteConfiguration(
          setup: "CREATE TABLE place (id \(id), name TEXT, parent \(parent))"))
    }

    private static func text(_ random: inout SplitMix64) -> String {
      let parts = ["a", "A", "b", " ", "\u{E9}", "e\u{301}", "\u{4E2D}", "1"]
      return (0..<Int.random(in: 1...3, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? "a"
      }.joined()
    }

    @Test(arguments: [
      ("TEXT", "TEXT"), ("TEXT COLLATE NOCASE", "TEXT"), ("TEXT", "TEXT COLLATE NOCASE"),
      ("TEXT COLLATE RTRIM", "TEXT COLLATE RTRIM"), ("", "COLLATE NOCASE"),
    ])
    func `records are found by equal ids and by no other`(id: String, parent: String) async throws {
      var random = SplitMix64(seed: 9)
      for _ in 0..<20 {
        let ids = Set((0..<20).map { _ in Self.text(&random) })
        let places = ids.map { Place(id: $0, name: $0, parent: Ref(Self.text(&random))) }
        let (store, model) = (try Self.store(id: id, parent: parent), MemoryStore(places))
        try await store.apply(ChangeSet(inserting: places))
        let asked = Array(Set((0..<20).map { _ in Self.text(&random) }))
        #expect(
          Set(try await store.fetch(Place.self, ids: asked).map(\.id))
            == Set(try await model.fetch(Place.self, ids: asked).map(\.id)))
        for id in asked.prefix(3) {
          #expect(
            try await store.fetch(Place.self, ids: [id])
              == model.fetch(Place.self, ids: [id]))
        }
        let relationship = RecordRelationship<Place>(\.parent)
        let targets = asked.map { Ref<Place>($0) }
        let found = try await store.referrers(to: targets, by: relationship)
        let expectedReferrers = try await model.referrers(to: targets, by: relationship)
        #expect(Set(found.map(\.id)) == Set(expectedReferrers.map(\.id)))
      }
    }

    @Test func `an id that only the database finds equal changes no result`() async throws {
      let store = try Self.store(id: "TEXT COLLATE NOCASE PRIMARY KEY")
      let cache = try GraphCache(for: Place.self, store: store)
      try await store.apply(
        ChangeSet(inserting: [Place(id: "abc", name: "one"), Place(id: "def", name: "two")]))
      async let found = cache.find(Ref<Place>("def"))
      async let other = cache.find(Ref<Place>("ABC"))
      #expect(try await found?.name == "two")
      #expect(try await other == nil)
      #expect(try await cache.find(Ref<Place>("abc"))?.name == "one")
    }

    @Test func `two rows whose ids are equal in Swift are no record`() async throws {
      let store = try Self.store(id: "TEXT PRIMARY KEY")
      try await store.execute(
        """
        INSERT INTO place (id, name) VALUES (char(233), 'one'), ('e' || char(769), 'two'),
          ('f', 'three')
        """)
      let cache = try GraphCache(for: Place.self, store: store)
      #expect(try await cache.find(Ref<Place>("f"))?.name == "three")
      do {
        _ = try await store.fetch(RecordQuery<Place>())
        Issue.record("they are one record")
      } catch let answer as PartialAnswer<Place> {
        #expect(answer.records.map(\.id) == ["f"])
        #expect(answer.failures.map(\.ref) == [Ref("\u{E9}")])
      }
    }

    struct Page: GraphRecord, Codable, Equatable {
      struct ID: Hashable, Codable, Sendable {
        let book: String
        let chapter: String
        let number: Int
      }
      let id: ID
      var text: String
    }

    private static func pages(_ text: String = "TEXT") throws -> SQLiteStore {
      try SQLiteStore(
        at: ":memory:",
        SQLiteTable<Page>(
          "page",
          id: .columns((\.book, "book"), (\.chapter, "chapter"), (\.number, "number"))),
        configuration: SQLiteConfiguration(
          setup: """
            CREATE TABLE page (
              book \(text), chapter \(text), number INTEGER, text TEXT,
              PRIMARY KEY (book, chapter, number))
            """))
    }

    @Test(arguments: ["TEXT", "TEXT COLLATE NOCASE", ""])
    func `ids of several columns are found by equal parts and by no other`(text: String)
      async throws
    {
      var random = SplitMix64(seed: 13)
      func ids(_ count: Int) -> Set<Page.ID> {
        let ids = (0..<count).map { _ in
          Page.ID(
            book: Self.text(&random), chapter: Self.text(&random),
            number: Int.random(in: 0...1, using: &random))
        }
        return Set(ids)
      }
      for _ in 0..<10 {
        var seen: Set<String> = []
        let pages = ids(100)
          // The database takes one of the ids that it finds equal.
          .filter { seen.insert("\($0.book)|\($0.chapter)|\($0.number)".lowercased()).inserted }
          .map { Page(id: $0, text: "\($0)") }
        let (store, model) = (try Self.pages(text), MemoryStore(pages))
        try await store.apply(ChangeSet(inserting: pages))
        let asked = Array(ids(300))
        let found = try await store.fetch(Page.self, ids: asked)
        let expected = try await model.fetch(Page.self, ids: asked)
        #expect(Set(found.map(\.id)) == Set(expected.map(\.id)))
        #expect(found.count == expected.count)
        for page in expected.prefix(5) {
          let other = Page.ID(
            book: page.id.book.decomposedStringWithCanonicalMapping,
            chapter: page.id.chapter.precomposedStringWithCanonicalMapping, number: page.id.number)
          #expect(try await store.fetch(Page.self, ids: [other]) == [page])
        }
      }
    }

    @Test func `rows whose ids of several columns are equal in Swift are no record`() async throws {
      let store = try Self.pages()
      try await store.execute(
        """
        INSERT INTO page VALUES (char(233), 'a', 1, 'one'), ('e' || char(769), 'a', 1, 'two'),
          ('f', 'a', 1, 'three')
        """)
      do {
        _ = try await store.fetch(RecordQuery<Page>())
        Issue.record("they are one record")
      } catch let answer as PartialAnswer<Page> {
        #expect(answer.records.map(\.text) == ["three"])
        let id = Page.ID(book: "\u{E9}", chapter: "a", number: 1)
        #expect(answer.failures.map(\.ref) == [Ref(id)])
      }
    }

    struct Tag: GraphRecord, Codable, Equatable {
      let id: UUID
      var parent: Ref<Tag>?

      static let relationships: Relationships<Tag> = [.toOne(\.parent)]
    }

    private static func tags(
      _ uuids: SQLFormats.UUIDs, _ rows: String = ""
    ) throws -> SQLiteStore {
      try SQLiteStore(
        at: ":memory:", SQLiteTable<Tag>("tag", formats: SQLFormats(uuids: uuids)),
        configuration: SQLiteConfiguration(
          setup: "CREATE TABLE tag (id TEXT PRIMARY KEY, parent REFERENCES tag); \(rows)"))
    }

    @Test func `UUIDs in lower case are stored and found as such`() async throws {
      let (upper, id) = (UUID(), UUID())
      let row = "INSERT INTO tag (id) VALUES ('\(id.uuidString.lowercased())')"
      #expect(throws: SQLMappingError.self) { try Self.tags(.text, row) }
      #expect(throws: SQLMappingError.self) { try Self.tags(.blob, row) }
      let store = try Self.tags(.lowercaseText, row)
      let cache = try GraphCache(for: Tag.self, store: store)
      let child = Tag(id: UUID(), parent: Ref(id))
      try await cache.write { tx in
        try tx.insert(child)
        try tx.update(Ref<Tag>(id), \.parent, to: Ref(id))
      }
      #expect(try await store.fetch(Tag.self, ids: [id, child.id]).count == 2)
      let relationship = RecordRelationship<Tag>(\.parent)
      #expect(try await store.referrers(to: [Ref<Tag>(id)], by: relationship).count == 2)
      // A row in another form fails in every read.
      try await store.execute("INSERT INTO tag (id) VALUES ('\(upper.uuidString)')")
      await #expect(throws: KinshipError.self) {
        try await store.fetch(Tag.self, ids: [upper])
      }
      await #expect(throws: PartialAnswer<Tag>.self) {
        try await store.fetch(RecordQuery<Tag>())
      }
      try await cache.write { tx in try tx.delete(child.ref) }
      #expect(try await store.fetch(Tag.self, ids: [child.id]).isEmpty)
    }

    @Test func `pages by a UUID stored as bytes are complete`() async throws {
      struct Thing: GraphRecord, Codable, Equatable {
        let id: Int
        var uuid: UUID
      }
      let store = try SQLiteStore(
        at: ":memory:", SQLiteTable<Thing>("thing", formats: SQLFormats(uuids: .blob)),
        configuration: SQLiteConfiguration(
          setup: "CREATE TABLE thing (id INTEGER PRIMARY KEY, uuid BLOB)"))
      let things = (0..<20).map { Thing(id: $0, uuid: UUID()) }
      try await store.apply(ChangeSet(inserting: things))
      let cache = try GraphCache(for: Thing.self, store: store)
      let query = RecordQuery<Thing>().sorted(by: \.uuid)
      var page = try await cache.page(query, size: 3)
      var ids = page.records.map(\.id)
      while page.hasMore, ids.count < 100 {
        page = try await cache.page(query, size: 3, after: page.end)
        ids += page.records.map(\.id)
      }
      #expect(ids == things.sorted { $0.uuid < $1.uuid }.map(\.id))
    }
  }
#endif
