import Kinship

struct Artist: GraphRecord, Codable {
  let id: Int
  var name: String
}

struct Album: GraphRecord, Codable {
  let id: Int
  var title: String
  var artist: Ref<Artist>?
  var tracks: [Ref<Track>]

  static let relationships: Relationships<Album> = [
    .toOne(\.artist), .toMany(\.tracks, onDelete: .cascade),
  ]
}

struct Track: GraphRecord, Codable {
  let id: Int
  var name: String
  var length: Duration
}
