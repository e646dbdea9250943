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

let cover = try await cache.graph(of: Ref<Album>(2), .generations(0))
switch cover[Ref<Artist>(2)] {
case .loaded(let artist): print("Loaded:", artist.name)
case .unloaded(let ref): print("Not loaded yet:", try await cache.resolve(ref).name)
case .missing: print("There is no such artist.")
}

try await cache.write { tx in
  try tx.update(Ref<Album>(3), \.title, to: "Three Romances")
  try tx.delete(Ref<Album>(2))
}
let albums = try await cache.find(RecordQuery<Album>().sorted(by: \.title))
print(albums.map(\.title).joined(separator: ", "))
print(store.count(of: Track.self), "tracks are left in the store, and", album.count, "records here")
