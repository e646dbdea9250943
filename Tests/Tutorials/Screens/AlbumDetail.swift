import Kinship
import Observation

/// The values of an album's screen: the album, its artist and its tracks.
struct AlbumScreen: Equatable, Sendable {
  let title: String
  let artist: String
  let tracks: [TrackRow]

  init(_ album: Node<Album>) {
    title = album.title
    artist = album.artist?.name ?? "nobody"
    tracks = album.tracks.map(TrackRow.init)
  }
}

struct TrackRow: Equatable, Identifiable, Sendable {
  let id: Int
  let name: String

  init(_ track: Node<Track>) {
    id = track.id
    name = track.name
  }
}

/// The content of an album's screen.
@MainActor
@Observable
final class AlbumDetail {
  let album: Live<AlbumScreen?>
  private(set) var failure: String?
  private let ref: Ref<Album>
  private let cache: GraphCache

  init(_ cache: GraphCache, _ ref: Ref<Album>) {
    self.cache = cache
    self.ref = ref
    album = Live(cache, ref.view(AlbumScreen.init))
  }

  var title: String { album.value?.title ?? "Loading" }

  func rename(to title: String) async {
    do {
      try await cache.write { [ref] tx in try tx.update(ref, \.title, to: title) }
      failure = nil
    } catch {
      failure = "\(error)"
    }
  }
}
