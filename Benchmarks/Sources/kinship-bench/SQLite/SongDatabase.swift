/// Songs in an SQLite database in memory that has the indexes which `Song` declares, asked with
/// prepared statements.
final class SongDatabase {
  private let database: RawDatabase
  private let ofGenre: RawStatement
  private let shortest: RawStatement
  private let between: RawStatement

  /// The statement that creates the table.
  static let table = """
    CREATE TABLE song (id INTEGER PRIMARY KEY, name TEXT NOT NULL, genre INTEGER NOT NULL,
      length INTEGER NOT NULL)
    """

  init(_ songs: [Song]) throws {
    database = try RawDatabase(path: ":memory:")
    try database.execute(Self.table)
    try database.insert(songs, by: "INSERT INTO song VALUES (?, ?, ?, ?)") { insert, song in
      insert.bind(song.id, at: 1)
      insert.bind(song.name, at: 2)
      insert.bind(song.genre, at: 3)
      insert.bind(song.length, at: 4)
    }
    try database.execute(
      "CREATE INDEX song_genre ON song (genre); CREATE INDEX song_length ON song (length)")
    let select = "SELECT id, name, genre, length FROM song"
    ofGenre = try database.prepare("\(select) WHERE genre = ?")
    shortest = try database.prepare("\(select) ORDER BY length, id LIMIT ?")
    between = try database.prepare("\(select) WHERE length >= ? AND length < ?")
  }

  func songs(of genre: Int) throws -> [Song] { try songs(ofGenre, genre) }

  func shortest(_ count: Int) throws -> [Song] { try songs(shortest, count) }

  func songs(from lower: Int, to upper: Int) throws -> [Song] { try songs(between, lower, upper) }

  private func songs(_ statement: RawStatement, _ values: Int...) throws -> [Song] {
    for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index + 1)) }
    defer { statement.reset() }
    var songs: [Song] = []
    while try statement.step() {
      songs.append(
        Song(
          id: statement.int(0), name: statement.text(1), genre: statement.int(2),
          length: statement.int(3)))
    }
    return songs
  }
}
