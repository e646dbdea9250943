import Kinship

let store = MemoryStore()
store.insert(Sample.artists)
store.insert(Sample.albums)
store.insert(Sample.tracks)
let cache = try GraphCache(
  for: Artist.self, Album.self, Track.self, store: store, capacity: 10_000)
