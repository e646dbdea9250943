import Kinship
import Observation

/// The content of an album's screen: the album, its artist and its tracks.
@MainActor
@Observable
final class AlbumDetail {
  let album: Live<Graph<Album>?>
  private(set) var failure: String?
  private let ref: Ref<Album>
  private let cache: GraphCache

  init(_ cache: GraphCache, _ ref: Ref<Album>) {
    self.cache = cache
    self.ref = ref
    album = Live(cache, ref.graph(.including(\.artist).including(\.tracks)))
  }

  var title: String { album.value?.root.title ?? "Loading" }
  var artist: String { album.value?.root.artist?.name ?? "nobody" }
  var tracks: [Track] { album.value?.root.tracks.map(\.record) ?? [] }

  func rename(to title: String) async {
    do {
      try await cache.write { [ref] tx in try tx.update(ref, \.title, to: title) }
      failure = nil
    } catch {
      failure = "\(error)"
    }
  }
}
