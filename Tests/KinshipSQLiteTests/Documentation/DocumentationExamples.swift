#if SQLite
  import Kinship
  import KinshipSQLite
  import KinshipSync
  import KinshipTestSupport
  import Testing

  @testable import KinshipStoreTestSupport

  /// The examples of the article and of the documentation comments, verbatim.
  ///
  /// ``DocumentationTests`` verifies that both are equal.
  struct DocumentationExamples {
    struct Artist: GraphRecord, Codable {
      let id: Int
      var name: String
    }

    struct Album: GraphRecord, Codable {
      let id: Int
      var title: String
      var artist: Ref<Artist>?
      var tracks: [Ref<Track>]

      static let relationships: Relationships<Album> = [.toOne(\.artist), .toMany(\.tracks)]
    }

    struct Track: GraphRecord, Codable {
      let id: Int
      var name: String
      var album: Ref<Album>?

      static let relationships: Relationships<Track> = [.toOne(\.album)]
    }

    struct Playlist: GraphRecord, Codable {
      let id: Int
      var tracks: [Ref<Track>]
      static let relationships: Relationships<Playlist> = [.toMany(\.tracks)]
    }

    static let schema = """
      CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name TEXT);
      CREATE TABLE Album (AlbumId INTEGER PRIMARY KEY, Title TEXT, ArtistId INTEGER);
      CREATE TABLE Track (TrackId INTEGER PRIMARY KEY, Name TEXT, AlbumId INTEGER, Album INTEGER);
      CREATE TABLE Playlist (PlaylistId INTEGER PRIMARY KEY);
      CREATE TABLE PlaylistTrack (PlaylistId INTEGER, TrackId INTEGER, Place INTEGER);
      INSERT INTO Artist VALUES (1, 'Clara');
      INSERT INTO Album VALUES (2, 'Soirées', 1);
      INSERT INTO Track VALUES (3, 'Toccatina', 2, 2), (4, 'Ballade', 2, 2);
      INSERT INTO Playlist VALUES (5);
      INSERT INTO PlaylistTrack VALUES (5, 4, 0), (5, 3, 1);
      """

    /// A database with all tables.
    static func database() throws -> TemporaryDatabase {
      let database = TemporaryDatabase()
      _ = try SQLiteStore(
        at: database.path, SQLiteTable<Artist>("Artist", id: "ArtistId"),
        configuration: SQLiteConfiguration(setup: schema))
      return database
    }

    @Test func `a store opens with tables and watches for outside changes`() async throws {
      let database = try Self.database()
      let path = database.path

      let store = try SQLiteStore(
        at: path,
        SQLiteTable<Artist>("Artist", id: "ArtistId"),
        SQLiteTable<Album>(
          "Album", id: "AlbumId", columns: [.column(\.artist, "ArtistId")],
          lists: [.toMany(\.tracks, table: "Track", foreignKey: "AlbumId", key: "TrackId")]),
        SQLiteTable<Track>("Track", id: "TrackId"))
      let cache = try GraphCache(for: Artist.self, Album.self, Track.self, store: store)
      let albums = try await cache.find(RecordQuery<Album>().sorted(by: \.title).limited(to: 20))
      #expect(albums.map(\.title) == albums.map(\.title).sorted())
      #expect(!albums.isEmpty)

      let album = try await cache.graph(of: Ref<Album>(2), .generations(1))
      #expect(album.root.artist?.name == "Clara")
      #expect(album.root.tracks.map(\.name) == ["Toccatina", "Ballade"])

      let other = try OtherConnection(path)
      try other.execute("UPDATE Artist SET Name = 'C. Schumann'")

      let following = cache.follow(store)
      try await following.catchUp()
      #expect(try await cache.resolve(Ref<Artist>(1)).name == "C. Schumann")
    }

    @Test func `a cache follows a tracked database`() async throws {
      let database = try Self.database()
      let store = try SQLiteStore(
        at: database.path, SQLiteTable<Artist>("Artist", id: "ArtistId"))
      let cache = try GraphCache(for: Artist.self, store: store)

      try await store.installTracking()
      let following = cache.follow(store)

      #expect(try await cache.resolve(Ref<Artist>(1)).name == "Clara")
      let other = try OtherConnection(database.path)
      try other.execute("UPDATE Artist SET Name = 'C. Schumann'")
      try await following.catchUp()
      #expect(try await cache.resolve(Ref<Artist>(1)).name == "C. Schumann")
    }

    @Test func `columns, lists and translators map a database`() async throws {
      let database = try Self.database()
      struct PlaylistEntry: GraphRecord, Codable {
        struct ID: Hashable, Codable {
          let playlist: Int
          let track: Int
        }
        let id: ID
      }
      let entries = SQLTable<PlaylistEntry>(
        "PlaylistTrack", id: .columns((\.playlist, "PlaylistId"), (\.track, "TrackId")))
      let albums = SQLTable<Album>(
        "Album", id: "AlbumId", columns: [.column(\.artist, "ArtistId")],
        lists: [.toMany(\.tracks, table: "Track", foreignKey: "AlbumId", key: "TrackId")])
      let playlists = SQLTable<Playlist>(
        "Playlist", id: "PlaylistId",
        lists: [
          .toMany(
            \.tracks, through: "PlaylistTrack", from: "PlaylistId", to: "TrackId",
            orderedBy: "Place")
        ])
      let tracks = SQLTable<Track>(
        "Track", id: "TrackId", translator: TrackTranslator(),
        columns: [.column(\.album, "AlbumId")])

      let store = try SQLiteStore(at: database.path, entries, albums, playlists, tracks)
      let ids: [PlaylistEntry.ID] = [.init(playlist: 5, track: 3), .init(playlist: 5, track: 9)]
      #expect(try await store.fetch(PlaylistEntry.self, ids: ids).map(\.id) == [ids[0]])
      #expect(try await store.fetch(Playlist.self, ids: [5]).first?.tracks == [4, 3])
      #expect(try await store.fetch(Track.self, ids: [4]).first?.name == "Ballade")
      #expect(try await store.fetch(Album.self, ids: [2]).first?.tracks == [3, 4])
    }

    @Test func `a new file is created with its tables`() async throws {
      let database = TemporaryDatabase()
      let path = database.path

      let setup = """
        CREATE TABLE IF NOT EXISTS Artist (ArtistId INTEGER PRIMARY KEY, Name TEXT NOT NULL);
        """
      let configuration = SQLiteConfiguration(
        readers: 4, busyTimeout: .seconds(5), synchronous: .normal, setup: setup)
      let store = try SQLiteStore(
        at: path, SQLiteTable<Artist>("Artist", id: "ArtistId"), configuration: configuration)
      try await store.execute("CREATE INDEX IF NOT EXISTS ArtistName ON Artist (Name)")

      #expect(try await store.fetch(RecordQuery<Artist>()).isEmpty)
    }

    enum Standing: String, Codable, SQLConvertible {
      case member, guest
    }

    @Test func `a custom type converts to and from a column value`() throws {
      #expect(Standing(sqlValue: .text("guest")) == .guest)
      #expect(Standing(sqlValue: .text("stranger")) == nil)
      #expect(try Standing.member.sqlValue == .text("member"))
    }

    struct TrackTranslator: RowTranslator {
      let columns = ["TrackId", "Name", "AlbumId"]

      func record(from row: borrowing SQLRow) throws -> Track {
        Track(id: try row.value(at: 0), name: try row.value(at: 1), album: try row.value(at: 2))
      }

      func bind(_ record: Track, to values: inout SQLValues) throws {
        try values.append(record.id)
        try values.append(record.name)
        try values.append(record.album)
      }
    }
  }
#endif
