#if SQLite
  import Kinship
  import KinshipSQLite

  struct Artist: GraphRecord, Codable, Equatable {
    let id: Int
    var name: String
  }

  struct Album: GraphRecord, Codable, Equatable {
    let id: Int
    var title: String
    var artist: Ref<Artist>?
    var songs: [Ref<Song>] = []

    static let relationships: Relationships<Album> = [.toOne(\.artist), .toMany(\.songs)]
  }

  struct Song: GraphRecord, Codable, Equatable {
    let id: Int
    var name: String
    var album: Ref<Album>?

    static let relationships: Relationships<Song> = [.toOne(\.album)]
  }

  struct Mix: GraphRecord, Codable, Equatable {
    let id: String
    var songs: [Ref<Song>] = []

    static let relationships: Relationships<Mix> = [.toMany(\.songs)]
  }

  /// Artists, their albums, the songs on them, and mixes of songs.
  enum Music {
    static let schema = """
      CREATE TABLE IF NOT EXISTS artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      CREATE TABLE IF NOT EXISTS album (
        number INTEGER PRIMARY KEY, title TEXT NOT NULL, artist INTEGER REFERENCES artist);
      CREATE TABLE IF NOT EXISTS song (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, album INTEGER REFERENCES album);
      CREATE TABLE IF NOT EXISTS mix (id TEXT PRIMARY KEY);
      CREATE TABLE IF NOT EXISTS mix_song (
        mix TEXT NOT NULL REFERENCES mix, song INTEGER NOT NULL REFERENCES song, place INTEGER)
      """

    static let artists = SQLiteTable<Artist>("artist")
    static let albums = SQLiteTable<Album>(
      "album", id: "number",
      lists: [.toMany(\.songs, table: "song", foreignKey: "album", key: "id")])
    static let songs = SQLiteTable<Song>("song")
    static let mixes = SQLiteTable<Mix>(
      "mix",
      lists: [.toMany(\.songs, through: "mix_song", from: "mix", to: "song", orderedBy: "place")])

    static func store(
      at path: String = ":memory:", _ configuration: SQLiteConfiguration = SQLiteConfiguration()
    ) throws -> SQLiteStore {
      var configuration = configuration
      configuration.setup = configuration.setup ?? schema
      return try SQLiteStore(
        at: path, artists, albums, songs, mixes, configuration: configuration)
    }

    /// Two albums of one artist, with three songs on the first, and a mix.
    static func filled(
      at path: String = ":memory:", _ configuration: SQLiteConfiguration = SQLiteConfiguration()
    ) async throws -> SQLiteStore {
      let store = try store(at: path, configuration)
      try await store.execute(
        """
        INSERT INTO artist VALUES (1, 'Clara'), (2, 'Robert');
        INSERT INTO album VALUES (10, 'Soirées', 1), (11, 'Romances', 1), (12, 'Lost', NULL);
        INSERT INTO song VALUES (100, 'One', 10), (101, 'Two', 10), (102, 'Three', 10),
          (103, 'Four', 11), (104, 'Five', NULL);
        INSERT INTO mix VALUES ('evening'), ('empty');
        INSERT INTO mix_song VALUES ('evening', 104, 0), ('evening', 100, 1), ('evening', 104, 2)
        """)
      return store
    }

    static func cache(_ store: SQLiteStore) throws -> GraphCache {
      try GraphCache(for: Artist.self, Album.self, Song.self, Mix.self, store: store)
    }
  }
#endif
