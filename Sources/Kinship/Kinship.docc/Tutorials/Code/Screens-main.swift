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

await detail.rename(to: "Three Romances")
await wait { list.albums.value.contains { $0.title == "Three Romances" } }
print("List:", list.albums.value.map(\.title).joined(separator: ", "))
await wait { detail.title == "Three Romances" }
print("Detail: \(detail.title)")

list.search = "Jahr"
await wait { !list.albums.isLoading }
print("Found:", list.albums.value.map(\.title).joined(separator: ", "))

await store.close()
