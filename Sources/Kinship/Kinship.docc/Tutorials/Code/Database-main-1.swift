import Foundation
import Kinship
import KinshipSQLite

let store = try openAlbums(at: "albums.sqlite")
let cache = try GraphCache(
  for: Artist.self, Album.self, Track.self, store: store, capacity: 10_000)
try await Sample.fill(cache)
