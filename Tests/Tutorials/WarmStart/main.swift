#if SQLite
  import Foundation
  import Kinship

  let library = try await Library(in: .currentDirectory())
  print(library.restored, "records were there at the start.")
  try await Sample.fill(library.cache)

  let detail = AlbumDetail(library.cache, 1)
  print("First frame:", detail.title)
  await wait { !detail.album.isLoading }
  print("Then: \(detail.title), by \(detail.artist), \(detail.tracks.count) tracks")

  let list = AlbumList(library.cache)
  await wait { !list.albums.isLoading }
  print("List:", list.albums.value.map(\.title).joined(separator: ", "))

  print(library.cache.statistics.loads, "records were loaded.")
  try await library.close()
#endif
