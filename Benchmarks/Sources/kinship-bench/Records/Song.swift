import Kinship

/// A record that is found by indexes.
struct Song: GraphRecord, Codable {
  let id: Int
  var name: String
  var genre: Int
  var length: Int

  static let indexes: RecordIndexes<Song> = [.hashed(\.genre), .ordered(\.length)]

  init(id: Int, name: String, genre: Int, length: Int) {
    (self.id, self.name, self.genre, self.length) = (id, name, genre, length)
  }

  /// Creates one of `count` songs, a thousand of which share a genre, and none a length.
  init(number: Int, of count: Int) {
    id = number
    name = "Song number \(number)"
    genre = number % max(1, count / 1_000)
    length = number &* 7_919 % count
  }
}

/// The same record with only one index.
struct HashedSong: GraphRecord {
  let id: Int
  var genre: Int

  static let indexes: RecordIndexes<HashedSong> = [.hashed(\.genre)]
}

/// The same record without indexes.
struct PlainSong: GraphRecord {
  let id: Int
  var genre: Int
}
