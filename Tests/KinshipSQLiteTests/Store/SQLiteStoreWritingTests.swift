#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import Testing

  @testable import KinshipStoreTestSupport

  struct SQLiteStoreWritingTests {
    @Test func `a transaction reaches the database`() async throws {
      let store = try await Music.filled()
      let cache = try Music.cache(store)
      try await cache.write { tx in
        try tx.insert(Artist(id: 3, name: "Fanny"))
        try tx.insert(Album(id: 20, title: "Year", artist: 3, songs: [104, 103]))
        try tx.insert(Mix(id: "new", songs: [101, 100]))
        try tx.update(Ref<Artist>(1), \.name, to: "Clara Schumann")
        try tx.update(Ref<Mix>("evening"), \.songs, to: [102])
      }
      let fresh = try Music.cache(store)
      #expect(try await fresh.resolve(Ref<Artist>(1)).name == "Clara Schumann")
      #expect(try await fresh.resolve(Ref<Album>(20)).songs == [103, 104])
      #expect(try await fresh.resolve(Ref<Album>(11)).songs == [])
      #expect(try await fresh.resolve(Ref<Song>(104)).album == 20)
      #expect(try await fresh.resolve(Ref<Mix>("new")).songs == [101, 100])
      #expect(try await fresh.resolve(Ref<Mix>("evening")).songs == [102])
    }

    /// An update needs one column, and the insertion after it needs all.
    @Test func `an insertion after an update writes all columns`() async throws {
      let store = try await Music.filled()
      let cache = try Music.cache(store)
      _ = try await cache.resolve(Ref<Song>(100))
      try await cache.write { tx in
        try tx.update(Ref<Song>(100), \.name, to: "First")
        try tx.insert(Song(id: 200, name: "Second", album: 11))
      }
      let songs = try await store.fetch(Song.self, ids: [100, 200])
      #expect(
        songs == [
          Song(id: 100, name: "First", album: 10), Song(id: 200, name: "Second", album: 11),
        ])
    }

    @Test func `the write-ahead log is removed with the store`() async throws {
      let database = TemporaryDatabase()
      do {
        let store = try await Music.filled(at: database.path)
        _ = try await store.fetch(RecordQuery<Artist>())
        #expect(FileManager.default.fileExists(atPath: database.path + "-wal"))
      }
      #expect(!FileManager.default.fileExists(atPath: database.path + "-wal"))
    }

    @Test func `deletions remove their lists`() async throws {
      let store = try await Music.filled()
      let cache = try Music.cache(store)
      try await cache.write { tx in
        try tx.delete(Ref<Mix>("evening"))
        try tx.delete(Ref<Album>(10))
      }
      let fresh = try Music.cache(store)
      #expect(try await fresh.find(Ref<Mix>("evening")) == nil)
      #expect(try await fresh.find(Ref<Album>(10)) == nil)
      #expect(try await fresh.resolve(Ref<Song>(100)).album == nil)
    }

    @Test func `a unique value can move to another record`() async throws {
      let store = try await Music.filled()
      let cache = try Music.cache(store)
      try await cache.write { tx in
        try tx.delete(Ref<Artist>(2))
        try tx.update(Ref<Artist>(1), \.name, to: "Robert")
        try tx.insert(Artist(id: 3, name: "Clara"))
      }
      let artists = try await store.fetch(RecordQuery<Artist>().sorted(by: \.id))
      #expect(artists.map(\.name) == ["Robert", "Clara"])
    }

    @Test func `a violated constraint is an error and changes nothing`() async throws {
      let store = try await Music.filled()
      let cache = try Music.cache(store)
      let before = try await store.fetch(RecordQuery<Artist>().sorted(by: \.id))
      await #expect {
        try await cache.write { tx in
          try tx.insert(Artist(id: 4, name: "Felix"))
          try tx.insert(Artist(id: 5, name: "Clara"))
        }
      } throws: { error in
        guard case KinshipError.commitFailed(let cause as SQLiteError) = error else { return false }
        return cause.isConstraint && "\(cause)".contains("SQLITE_CONSTRAINT_UNIQUE")
          && !"\(cause)".contains("Clara")
      }
      #expect(try await store.fetch(RecordQuery<Artist>().sorted(by: \.id)) == before)
      #expect(cache.peek(Ref<Artist>(4)) == nil)
    }

    @Test func `a foreign key without a target is refused`() async throws {
      let store = try await Music.filled()
      let cache = try Music.cache(store)
      await #expect {
        try await cache.write { tx in try tx.insert(Song(id: 900, name: "X", album: 999)) }
      } throws: { error in
        guard case KinshipError.commitFailed(let cause as SQLiteError) = error else { return false }
        return cause.isConstraint
      }
      #expect(try await store.fetch(Song.self, ids: [900]).isEmpty)
    }

    @Test func `only changed columns are written`() async throws {
      let store = try await Music.filled()
      let cache = try Music.cache(store)
      _ = try await cache.resolve(Ref<Album>(10))
      try await store.execute("UPDATE album SET title = 'Changed outside' WHERE number = 10")
      try await cache.write { tx in try tx.update(Ref<Album>(10), \.artist, to: 2) }
      let album = try #require(try await store.fetch(Album.self, ids: [10]).first)
      #expect(album.title == "Changed outside")
      #expect(album.artist == 2)
    }

    /// Neither row can be changed before the other: foreign keys are checked at the end.
    @Test func `a key and its referrers are updated together`() async throws {
      let database = TemporaryDatabase()
      let setup = """
        CREATE TABLE IF NOT EXISTS club (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE);
        CREATE TABLE IF NOT EXISTS player (id INTEGER PRIMARY KEY, code TEXT REFERENCES club (code))
        """
      let store = try SQLiteStore(
        at: database.path, SQLiteTable<Club>("club"), SQLiteTable<Player>("player"),
        configuration: SQLiteConfiguration(synchronous: .off, setup: setup))
      try await store.execute(
        "INSERT INTO club VALUES (1, 'a'); INSERT INTO player VALUES (1, 'a')")
      let cache = try GraphCache(for: Club.self, Player.self, store: store)
      try await cache.write { tx in
        try tx.update(Ref<Club>(1), \.code, to: "b")
        try tx.update(Ref<Player>(1), \.code, to: "b")
      }
      #expect(try await store.fetch(Player.self, ids: [1]).map(\.code) == ["b"])
      await #expect {
        try await cache.write { tx in try tx.update(Ref<Club>(1), \.code, to: "c") }
      } throws: { error in
        guard case KinshipError.commitFailed(let cause as SQLiteError) = error else { return false }
        return "\(cause)".contains("SQLITE_CONSTRAINT_FOREIGNKEY")
      }
      #expect(try await store.fetch(Club.self, ids: [1]).map(\.code) == ["b"])
    }

    private struct Club: GraphRecord, Codable {
      let id: Int
      var code: String
    }

    private struct Player: GraphRecord, Codable {
      let id: Int
      var code: String
    }

    @Test func `changes of missing rows are conflicts`() async throws {
      let store = try await Music.filled()
      let cache = try Music.cache(store)
      _ = try await cache.resolve(Ref<Mix>("empty"))
      _ = try await cache.resolve(Ref<Artist>(2))
      try await store.execute("DELETE FROM mix WHERE id = 'empty'; DELETE FROM artist WHERE id = 2")
      await #expect {
        try await cache.write { tx in try tx.update(Ref<Artist>(2), \.name, to: "R.") }
      } throws: { error in
        guard case KinshipError.conflict(let ref, _, nil) = error else { return false }
        return ref == AnyRef(Ref<Artist>(2))
      }
      await #expect {
        try await cache.write { tx in try tx.delete(Ref<Mix>("empty")) }
      } throws: { error in
        guard case KinshipError.conflict(_, nil, nil) = error else { return false }
        return true
      }
    }
  }
#endif
