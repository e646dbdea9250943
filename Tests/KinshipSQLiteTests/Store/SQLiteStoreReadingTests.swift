#if SQLite
  import Kinship
  import KinshipSQLite
  import Testing

  @testable import KinshipStoreTestSupport

  struct SQLiteStoreReadingTests {
    @Test func `records are fetched by ids`() async throws {
      let store = try await Music.filled()
      let artists = try await store.fetch(Artist.self, ids: [2, 99, 1])
      #expect(artists.sorted { $0.id < $1.id }.map(\.name) == ["Clara", "Robert"])
      #expect(try await store.fetch(Artist.self, ids: []).isEmpty)
    }

    @Test func `rows load with their lists`() async throws {
      let store = try await Music.filled()
      let before = store.statistics
      let albums = try await store.fetch(Album.self, ids: [10, 11, 12])
      #expect(
        albums == [
          Album(id: 10, title: "Soirées", artist: 1, songs: [100, 101, 102]),
          Album(id: 11, title: "Romances", artist: 1, songs: [103]),
          Album(id: 12, title: "Lost", artist: nil, songs: []),
        ])
      #expect(store.statistics.statementsExecuted - before.statementsExecuted == 1)
      #expect(store.statistics.rowsRead - before.rowsRead == 3)
      let mixes = try await store.fetch(Mix.self, ids: ["evening", "empty", "none"])
      #expect(
        Set(mixes.map { "\($0.id) \($0.songs)" })
          == ["evening [Song(104), Song(100), Song(104)]", "empty []"])
    }

    /// For integers once, for other ids once for each power of two.
    @Test func `statements are prepared once`() async throws {
      let store = try await Music.filled()
      _ = try await store.fetch(Song.self, ids: [100, 101])
      _ = try await store.fetch(Mix.self, ids: ["evening", "none", "empty"])
      let before = store.statistics
      _ = try await store.fetch(Song.self, ids: [101, 102, 103, 104, 105])
      _ = try await store.fetch(Mix.self, ids: ["empty", "none", "no", "evening"])
      #expect(store.statistics.statementsPrepared == before.statementsPrepared)
      #expect(store.statistics.statementsExecuted == before.statementsExecuted + 2)
    }

    @Test func `a fetch may have more ids than a statement has parameters`() async throws {
      let store = try Music.store()
      try await store.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000)
        INSERT INTO song SELECT i, 'Song ' || i, NULL FROM n
        """)
      let before = store.statistics
      let songs = try await store.fetch(Song.self, ids: Array((1...100_000).reversed()))
      #expect(songs.count == 70_000)
      #expect(Set(songs.map(\.id)).count == 70_000)
      #expect(store.statistics.statementsExecuted - before.statementsExecuted == 1)
    }

    /// The check reads eight bytes at a time: it finds an invalid byte at any position.
    @Test func `texts that are not UTF-8 are refused`() async throws {
      let store = try Music.store()
      for length in 1...20 {
        for position in 0..<length {
          let id = length * 100 + position
          var bytes = [String](repeating: "61", count: length)
          bytes[position] = "ff"
          let text = bytes.joined()
          bytes[position] = "c3a9"
          try await store.execute(
            """
            INSERT INTO song VALUES (\(id), CAST(x'\(text)' AS TEXT), NULL);
            INSERT INTO song VALUES (-\(id), CAST(x'\(bytes.joined())' AS TEXT), NULL)
            """)
          await #expect {
            try await store.fetch(Song.self, ids: [id])
          } throws: {
            guard case KinshipError.untranslatable("Song", let found, "name", _) = $0 else {
              return false
            }
            return found as? Int == id
          }
          var name = [Character](repeating: "a", count: length)
          name[position] = "é"
          #expect(try await store.fetch(Song.self, ids: [-id]).map(\.name) == [String(name)])
        }
      }
    }

    @Test func `a fetch may have more text ids than a statement has parameters`() async throws {
      let store = try await Music.filled()
      let before = store.statistics
      let ids = ["empty"] + (0..<40_000).map { "no mix \($0)" } + ["evening"]
      #expect(try await store.fetch(Mix.self, ids: ids).map(\.id) == ["empty", "evening"])
      #expect(store.statistics.statementsExecuted - before.statementsExecuted == 3)
    }

    @Test func `queries sort and limit`() async throws {
      let store = try await Music.filled()
      let byArtist = RecordQuery<Album>().sorted(by: \.title, .descending).limited(to: 2)
      #expect(try await store.fetch(byArtist).map(\.title) == ["Soirées", "Romances"])
      let rest = RecordQuery<Song>().sorted(by: \.id).skipping(3)
      #expect(try await store.fetch(rest).map(\.id) == [103, 104])
      #expect(try await store.fetch(RecordQuery<Song>().limited(to: 0)).isEmpty)
      // No column contains it, so the rows are sorted in memory.
      let bySongs = RecordQuery<Album>().sorted(by: \.songs.count, .descending)
      #expect(try await store.fetch(bySongs).map(\.id) == [10, 11, 12])
      #expect(try await store.fetch(bySongs.skipping(1).limited(to: 1)).map(\.id) == [11])
    }

    @Test func `referrers are found by columns and lists`() async throws {
      let store = try await Music.filled()
      let ofArtist = try await store.referrers(
        to: [1, 2] as [Ref<Artist>], by: RecordRelationship<Album>(\.artist))
      #expect(ofArtist.map(\.id).sorted() == [10, 11])
      let ofSongs = try await store.referrers(
        to: [101, 102, 103] as [Ref<Song>], by: RecordRelationship<Album>(\.songs))
      #expect(ofSongs.map(\.id).sorted() == [10, 11])
      let mixes = try await store.referrers(
        to: [104, 100, 101] as [Ref<Song>], by: RecordRelationship<Mix>(\.songs))
      #expect(mixes.map(\.id) == ["evening"])
    }

    @Test func `a generation takes one statement for each table`() async throws {
      let store = try await Music.filled()
      let cache = try Music.cache(store)
      let before = store.statistics
      let graph = try await cache.graph(of: Ref<Mix>("evening"), .generations(4))
      #expect(graph.count == 7)
      // The mix; two songs; an album; its artist and its other songs.
      #expect(store.statistics.statementsExecuted - before.statementsExecuted == 5)
    }

    @Test func `types without a table are unknown`() async throws {
      let store = try SQLiteStore(
        at: ":memory:", Music.artists,
        configuration: SQLiteConfiguration(setup: Music.schema))
      await #expect(throws: KinshipError.self) { try await store.fetch(Song.self, ids: [1]) }
    }
  }
#endif
