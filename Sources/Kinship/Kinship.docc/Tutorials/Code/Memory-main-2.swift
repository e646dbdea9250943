import Kinship

let store = MemoryStore()
store.insert(Sample.artists)
store.insert(Sample.albums)
store.insert(Sample.tracks)
let cache = try GraphCache(
  for: Artist.self, Album.self, Track.self, store: store, capacity: 10_000)

let album = try await cache.graph(of: Ref<Album>(1), .generations(1))
print("\(album.root.title), by \(album.root.artist?.name ?? "nobody")")
for track in album.root.tracks { print("- \(track.name)") }
