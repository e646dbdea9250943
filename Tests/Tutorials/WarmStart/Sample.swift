import Kinship

/// Some albums to begin with.
enum Sample {
  static let artists = [
    Artist(id: 1, name: "Clara Schumann"), Artist(id: 2, name: "Fanny Hensel"),
  ]

  static let albums = [
    Album(id: 1, title: "Soirées musicales", artist: 1, tracks: [1, 2, 3]),
    Album(id: 2, title: "Das Jahr", artist: 2, tracks: [4, 5]),
    Album(id: 3, title: "Romances", artist: 1, tracks: [6]),
  ]

  static let tracks = [
    Track(id: 1, name: "Toccatina", length: .seconds(145)),
    Track(id: 2, name: "Ballade", length: .seconds(312)),
    Track(id: 3, name: "Notturno", length: .seconds(284)),
    Track(id: 4, name: "Januar", length: .seconds(201)),
    Track(id: 5, name: "Februar", length: .seconds(187)),
    Track(id: 6, name: "Andante", length: .seconds(226)),
  ]
}
