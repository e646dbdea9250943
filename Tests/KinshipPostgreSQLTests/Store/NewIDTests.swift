#if PostgreSQL
  import Foundation
  import Kinship
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  /// Ids that the server chooses for new rows.
  @Suite(.dedicatedThreads, .needsServer)
  struct NewIDTests {
    struct Album: GraphRecord, Codable, Equatable {
      let id: Int
      var title = ""
    }

    struct Track: GraphRecord, Codable, Equatable {
      let id: Int32
      var album: Ref<Album>
      static let relationships: Relationships<Track> = [.toOne(\.album)]
    }

    struct Session: GraphRecord, Codable, Equatable { let id: UUID }
    struct Code: GraphRecord, Codable, Equatable { let id: String }
    struct Plain: GraphRecord, Codable, Equatable { let id: Int }
    struct Same: GraphRecord, Codable, Equatable { let id: Int }

    struct Entry: GraphRecord, Codable, Equatable {
      struct ID: Hashable, Codable {
        let shelf: Int
        let place: Int
      }
      let id: ID
    }

    private static let schema = """
      CREATE TABLE "al'bum" (
        "the \"\"id\"\"" bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text);
      CREATE TABLE track (id serial PRIMARY KEY, album bigint REFERENCES "al'bum");
      CREATE TABLE session (id uuid PRIMARY KEY DEFAULT gen_random_uuid());
      CREATE SEQUENCE codes;
      CREATE TABLE code (id text PRIMARY KEY DEFAULT 'c' || nextval('codes'));
      CREATE TABLE plain (id bigint PRIMARY KEY);
      CREATE TABLE same (id bigint PRIMARY KEY DEFAULT 7);
      CREATE TABLE entry (shelf serial, place serial, PRIMARY KEY (shelf, place));
      """

    private static func store(_ database: TestDatabase) async throws -> PostgreSQLStore {
      try await PostgreSQLStore(
        database.conninfo, PostgreSQLTable<Album>("al'bum", id: "the \"id\""),
        PostgreSQLTable<Track>("track"), PostgreSQLTable<Session>("session"),
        PostgreSQLTable<Code>("code"), PostgreSQLTable<Plain>("plain"),
        PostgreSQLTable<Same>("same"),
        PostgreSQLTable<Entry>("entry", id: .columns((\.shelf, "shelf"), (\.place, "place"))))
    }

    private static func cache(_ store: PostgreSQLStore) throws -> GraphCache {
      try GraphCache(
        for: Album.self, Track.self, Session.self, Code.self, Plain.self, Same.self, Entry.self,
        store: store)
    }

    @Test func `new ids are those that the columns would get`() async throws {
      let database = try TestDatabase.make()
      let connection = try database.connect()
      try connection.execute(Self.schema)
      let store = try await Self.store(database)
      let cache = try Self.cache(store)
      let (album, changes) = try await cache.write { tx in
        let album = try tx.newRef(Album.self)
        try tx.insert(Album(id: album.id, title: "Zooropa"))
        for _ in 0..<3 {
          try tx.insert(Track(id: tx.newRef(Track.self).id, album: album))
        }
        try tx.insert(Session(id: tx.newRef(Session.self).id))
        try tx.insert(Code(id: tx.newRef(Code.self).id))
        return album
      }
      #expect(album.id == 1)
      #expect(Set(changes.inserted(Track.self).map(\.id)).count == 3)
      #expect(changes.inserted(Code.self).map(\.id) == ["c1"])
      let stored = try await store.fetch(RecordQuery<Track>())
      #expect(Set(stored.map(\.album)) == [album])
      #expect(try await store.fetch(RecordQuery<Session>()) == changes.inserted(Session.self))
      // Other rows get other ids.
      try connection.execute("INSERT INTO \"al'bum\" (title) VALUES ('by hand')")
      #expect(try await store.count(RecordQuery<Album>()) == 2)
    }

    @Test func `a column without a default cannot reserve ids`() async throws {
      let database = try TestDatabase.make()
      try database.connect().execute(Self.schema)
      let store = try await Self.store(database)
      func refusal<R: GraphRecord>(_ type: R.Type) async -> String? {
        do {
          try await Self.cache(store).write { tx in _ = try tx.newRef(type) }
          return nil
        } catch {
          return "\(error)"
        }
      }
      #expect(
        await refusal(Plain.self)?.hasPrefix("PostgreSQLStore does not support new ids of Plain. ")
          == true)
      #expect(
        await refusal(Entry.self)?.hasPrefix("PostgreSQLStore does not support new ids of Entry. ")
          == true)
      // A constant is an id once.
      let cache = try Self.cache(store)
      try await cache.write { tx in try tx.insert(Same(id: tx.newRef(Same.self).id)) }
      await #expect(throws: KinshipError.self) {
        try await cache.write { tx in try tx.insert(Same(id: tx.newRef(Same.self).id)) }
      }
      #expect(try await store.count(RecordQuery<Same>()) == 1)
    }

    /// Several caches and a program that inserts by itself, even if the sequence lags behind.
    @Test func `concurrent insertions into one table all succeed`() async throws {
      let database = try TestDatabase.make()
      let connection = try database.connect()
      try connection.execute(Self.schema)
      try connection.execute(
        "INSERT INTO \"al'bum\" OVERRIDING SYSTEM VALUE VALUES (1, 'a'), (2, 'b'), (5, 'c')")
      var inserted = 0
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<3 {
          let cache = try Self.cache(try await Self.store(database))
          group.addTask {
            for number in 0..<15 {
              try await cache.write { tx in
                let album = try tx.newRef(Album.self)
                try tx.insert(Album(id: album.id, title: "\(writer) \(number)"))
                try tx.insert(Track(id: tx.newRef(Track.self).id, album: album))
              }
            }
          }
        }
        for _ in 0..<20 {
          // The insertion is refused as long as the sequence lags behind.
          let failure = refusal {
            try connection.execute("INSERT INTO \"al'bum\" (title) VALUES ('x')")
          }
          if failure == nil { inserted += 1 }
        }
        try await group.waitForAll()
      }
      let store = try await Self.store(database)
      #expect(try await store.count(RecordQuery<Album>()) == 3 + 45 + inserted)
      #expect(try await store.count(RecordQuery<Track>()) == 45)
    }
  }
#endif
