import Foundation
import Kinship

let library = try await Library(in: .currentDirectory())
print(library.restored, "records were there at the start.")
try await Sample.fill(library.cache)

let list = AlbumList(library.cache)
print("First frame of the list:", list.albums.value.map(\.title).joined(separator: ", "))
let detail = AlbumDetail(library.cache, 1)
print("First frame of an album:", detail.title)

await wait { !list.albums.isLoading && !detail.album.isLoading }
for album in list.albums.value { print("- \(album.title), by \(album.artist)") }
if let album = detail.album.value { print("\(album.title) has \(album.tracks.count) tracks.") }

print(library.cache.statistics.loads, "records were loaded.")
try await library.close()
