import Kinship
import KinshipSQLite

let store = try openAlbums(at: "albums.sqlite")
let cache = try GraphCache(
  for: Artist.self, Album.self, Track.self, store: store, capacity: 10_000)
try await Sample.fill(cache)

let list = AlbumList(cache)
await wait { !list.albums.isLoading }
print("List:", list.albums.value.map(\.title).joined(separator: ", "))

let detail = AlbumDetail(cache, 3)
await wait { !detail.album.isLoading }
if let album = detail.album.value {
  print("Detail: \(album.title), by \(album.artist)")
  for track in album.tracks { print("- \(track.name)") }
}
