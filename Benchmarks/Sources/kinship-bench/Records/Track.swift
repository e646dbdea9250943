import Kinship

/// A record of numbers and texts for queries.
struct Track: GraphRecord, Codable {
  let id: Int
  var name: String
  var composer: String
  var album: Ref<Track>?
  var milliseconds: Int
  var bytes: Int

  static let relationships: Relationships<Track> = [.toOne(\.album)]

  init(number: Int) {
    id = number
    name = "Track number \(number)"
    composer = "Composer \(number % 50)"
    album = number % 10 == 0 ? nil : Ref(number / 10)
    milliseconds = number &* 7919 % 600_000
    bytes = number &* 104_729 % 10_000_000
  }
}
