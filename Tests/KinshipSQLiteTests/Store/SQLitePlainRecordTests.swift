#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import KinshipTestSupport
  import PlainGenealogy
  import Testing

  /// Structs that know nothing of Kinship, in tables: a column holds the id of a computed ref.
  struct SQLitePlainRecordTests {
    private static let children = Inverse<Person, Person>(\.father)

    private static func store() throws -> SQLiteStore {
      try SQLiteStore(
        at: ":memory:",
        SQLiteTable<Person>("person", columns: [.column(\.father, "fatherID")]),
        SQLiteTable<Event>("event"),
        configuration: SQLiteConfiguration(
          setup: """
            CREATE TABLE person (
              id INTEGER PRIMARY KEY, name TEXT NOT NULL, fatherID INTEGER,
              eventIDs TEXT NOT NULL);
            CREATE TABLE event (id INTEGER PRIMARY KEY, year INTEGER NOT NULL)
            """))
    }

    @Test func `computed refs are read, queried and written by the column of the plain id`()
      async throws
    {
      let store = try Self.store()
      var cache = try GraphCache(for: Person.self, Event.self, store: store)
      try await cache.write { tx in
        try tx.insert(Person(id: 7, name: "Ernst", eventIDs: [1]))
        try tx.insert(Person(id: 42, name: "Albert", fatherID: 7))
        try tx.insert(Event(id: 1, year: 1784))
      }
      cache = try GraphCache(for: Person.self, Event.self, store: store)
      let graph = try await cache.graph(of: Ref<Person>(42), .generations(2))
      #expect(graph.root.father?.name == "Ernst" && graph.count == 3)
      let father: Ref<Person>? = 7
      // A predicate on a computed property is opaque, so the cache finishes that query.
      for (query, isAnsweredBySQL) in [
        (RecordQuery<Person>(#Predicate { $0.fatherID == 7 }), true),
        (RecordQuery(#Predicate { $0.father == father }), false),
      ] {
        #expect(try await cache.find(query).map(\.id) == [42])
        #expect(store.support(for: query).isWhole == isAnsweredBySQL)
      }
      #expect(try await cache.find(Ref<Person>(7).related(Self.children)).map(\.id) == [42])

      try await cache.write { tx in try tx.update(Ref<Person>(42), \.father, to: nil) }
      #expect(try await store.fetch(Person.self, ids: [42]).map(\.fatherID) == [nil])
      cache = try GraphCache(for: Person.self, Event.self, store: store)
      try await cache.write { tx in try tx.update(Ref<Person>(42), \.father, to: 7) }
      #expect(try await store.fetch(Person.self, ids: [42]).map(\.fatherID) == [7])
    }
  }
#endif
