/// Tracks in an SQLite database in memory, counted with a prepared statement by a condition in SQL.
final class TrackDatabase {
  private let database: RawDatabase
  private let statement: RawStatement

  init(_ tracks: [Track], counting condition: String) throws {
    database = try RawDatabase(path: ":memory:")
    try database.execute(
      """
      CREATE TABLE track (id INTEGER PRIMARY KEY, name TEXT NOT NULL, composer TEXT NOT NULL,
        milliseconds INTEGER NOT NULL, bytes INTEGER NOT NULL)
      """)
    try database.insert(tracks, by: "INSERT INTO track VALUES (?, ?, ?, ?, ?)") { insert, track in
      insert.bind(track.id, at: 1)
      insert.bind(track.name, at: 2)
      insert.bind(track.composer, at: 3)
      insert.bind(track.milliseconds, at: 4)
      insert.bind(track.bytes, at: 5)
    }
    statement = try database.prepare("SELECT count(*) FROM track WHERE \(condition)")
  }

  func count() throws -> Int {
    defer { statement.reset() }
    return try statement.step() ? statement.int(0) : 0
  }
}
