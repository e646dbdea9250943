import Kinship
import KinshipFoundation
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// The examples of a store over HTTP that use the store.
@Suite(.boundedWaits)
struct HTTPExamples {
  @MainActor
  private func text(_ albums: Live<ResultList<Album>>) -> String {
    switch albums.remoteState {
    case .loading: "Loading"
    case .current: "\(albums.value.count) albums"
    case .offline: "Offline"
    case .busy: "Too many requests"
    case .failed(let reason): reason
    }
  }

  @Test @MainActor func `a screen shows albums from a server`() async throws {
    let server = try CatalogServer(albums: 60)
    let url = server.server.url
    let ref: Ref<Album> = 3

    let store = CatalogStore(base: url, source: HTTPSource())
    let cache = try GraphCache(
      for: Album.self, Artist.self, store: store, fetching: FetchLimits(batchSize: 50))

    let albums = Live(cache, RecordQuery<Album>())
    #expect(text(albums) == "Loading")
    try await wait { albums.remoteState == .current }
    #expect(text(albums) == "60 albums")
    let album = try await cache.resolve(ref, .within(.seconds(60)))
    #expect(album.id == 3)
  }
}
