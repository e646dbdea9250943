#if PostgreSQL
  import Kinship
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipSync
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  /// The examples of the documentation, verbatim.
  @Suite(.dedicatedThreads, .needsServer)
  struct DocumentationExamples {
    struct Artist: GraphRecord, Codable {
      let id: Int
      var name: String
    }

    struct Album: GraphRecord, Codable {
      let id: Int
      var title: String
      var artist: Ref<Artist>
      var tracks: [Ref<Track>]
      static let relationships: Relationships<Album> = [.toOne(\.artist), .toMany(\.tracks)]
    }

    struct Track: GraphRecord, Codable {
      let id: Int
      var name: String
    }

    @Test func `the documented store opens and is followed`() async throws {
      let database = try TestDatabase.make()
      let conninfo = database.conninfo
      try database.connect().execute(
        """
        CREATE TABLE artist (artist_id int PRIMARY KEY, name text NOT NULL);
        CREATE TABLE album (
          album_id int PRIMARY KEY, title text NOT NULL, artist_id int REFERENCES artist);
        CREATE TABLE track (
          track_id int PRIMARY KEY, name text NOT NULL, album_id int REFERENCES album);
        INSERT INTO artist VALUES (1, 'Alice');
        INSERT INTO album VALUES (2, 'Alone', 1);
        INSERT INTO track VALUES (3, 'Always', 2)
        """)

      let store = try await PostgreSQLStore(
        conninfo,
        PostgreSQLTable<Artist>("artist", id: "artist_id"),
        PostgreSQLTable<Album>(
          "album", id: "album_id", columns: [.column(\.artist, "artist_id")],
          lists: [.toMany(\.tracks, table: "track", foreignKey: "album_id", key: "track_id")]),
        PostgreSQLTable<Track>("track", id: "track_id"))
      let cache = try GraphCache(for: Artist.self, Album.self, Track.self, store: store)

      let album = try await cache.resolve(Ref<Album>(2))
      #expect(album.tracks == [Ref(3)])

      try await store.execute(store.trackingSQL)

      let following = cache.follow(store)
      // Another process commits.
      try await store.catchUp()

      #expect(following.cursor != nil)
      try database.connect().execute("UPDATE track SET album_id = NULL")
      try await store.catchUp()
      #expect(try await cache.resolve(Ref<Album>(2)).tracks.isEmpty)
    }
  }

  /// Every Swift example in the documentation is above, where it is compiled and run.
  struct DocumentationTests {
    @Test func `every example in the documentation is compiled`() throws {
      let sources = try CodeExample.sources(in: "Tests/KinshipPostgreSQLTests")
      var count = 0
      for file in try RepositoryFile.all(in: "Sources/KinshipPostgreSQL") {
        for example in CodeExample.all(in: file) {
          count += 1
          #expect(
            sources.contains { $0.contains(example) },
            "\(file.path):\(example.line) is not in the examples that are compiled:\n\(example)")
        }
      }
      #expect(count > 2, "the search for examples finds too few")
    }
  }
#endif
