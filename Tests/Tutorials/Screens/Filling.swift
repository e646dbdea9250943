import Kinship

extension Sample {
  /// Puts the albums into the cache's store, if it has none.
  static func fill(_ cache: GraphCache) async throws {
    guard try await cache.find(RecordQuery<Album>().count) == 0 else { return }
    try await cache.write { tx in
      for artist in artists { try tx.insert(artist) }
      for album in albums { try tx.insert(album) }
      for track in tracks { try tx.insert(track) }
    }
    print("The tables are filled.")
  }
}
