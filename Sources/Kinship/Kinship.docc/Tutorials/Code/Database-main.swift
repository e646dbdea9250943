import Foundation
import Kinship
import KinshipSQLite

let store = try openAlbums(at: "albums.sqlite")
let cache = try GraphCache(
  for: Artist.self, Album.self, Track.self, store: store, capacity: 10_000)
try await Sample.fill(cache)

let byTitle = RecordQuery<Album>().sorted(by: \.title)
var page = try await cache.page(byTitle, size: 2)
print("First page:", page.records.map(\.title).joined(separator: ", "))
while page.hasMore {
  page = try await cache.page(byTitle, size: 2, after: page.end)
  print("Next page:", page.records.map(\.title).joined(separator: ", "))
}

let album = try await cache.graph(of: Ref<Album>(1), .generations(1))
for track in album.root.tracks {
  print("- \(track.name), \(track.length.formatted(.time(pattern: .minuteSecond)))")
}

await store.close()
