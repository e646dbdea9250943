#if SQLite
  import Kinship
  import KinshipSQLite

  /// The tables of a new file.
  let tables = """
    CREATE TABLE IF NOT EXISTS artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS album (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, artist_id INTEGER REFERENCES artist);
    CREATE TABLE IF NOT EXISTS track (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, milliseconds INTEGER NOT NULL,
      album_id INTEGER REFERENCES album);
    CREATE INDEX IF NOT EXISTS album_title ON album (title);
    CREATE INDEX IF NOT EXISTS track_album ON track (album_id);
    """

  /// Opens the database of albums, and makes it if there is none.
  func openAlbums(at path: String) throws -> SQLiteStore {
    try SQLiteStore(
      at: path,
      SQLiteTable<Artist>("artist", id: "id"),
      SQLiteTable<Album>(
        "album", id: "id", columns: [.column(\.artist, "artist_id")],
        lists: [.toMany(\.tracks, table: "track", foreignKey: "album_id", key: "id")]),
      SQLiteTable<Track>("track", id: "id", translator: TrackTranslator()),
      configuration: SQLiteConfiguration(setup: tables))
  }
#endif
