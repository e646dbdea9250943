#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import KinshipSync

  /// The albums of a directory, from when the program starts until it ends.
  final class Library: Sendable {
    let cache: GraphCache
    /// How many records were in memory at the start.
    let restored: Int
    private let store: SQLiteStore
    private let following: GraphCache.Following
    private let snapshot: URL

    init(in directory: URL) async throws {
      let database = directory.appending(path: "albums.sqlite")
      snapshot = directory.appending(path: "albums.snapshot")
      store = try openAlbums(at: database.path(percentEncoded: false))
      try await store.installTracking()
      cache = try GraphCache(
        for: Artist.self, Album.self, Track.self, store: store, capacity: 10_000)
      // Without a snapshot, or with one that is damaged, it is a cold start.
      let report = try? await cache.restore(from: snapshot)
      restored = report?.restored ?? 0
      following = cache.follow(store)
      try await store.catchUp()
    }

    func close() async throws {
      // Otherwise, the next start would load the last writes again.
      try await store.catchUp()
      try await cache.snapshot(to: snapshot)
      await following.finish()
      await store.close()
    }
  }
#endif
