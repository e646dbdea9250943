import Foundation
import Kinship
import Observation

/// A row of the list: an album and its artist.
struct AlbumRow: Equatable, Identifiable, Sendable {
  let id: Int
  let title: String
  let artist: String

  init(_ album: Node<Album>) {
    id = album.id
    title = album.title
    artist = album.artist?.name ?? "nobody"
  }
}

/// The content of the list: the albums that contain the searched text, by title.
@MainActor
@Observable
final class AlbumList {
  private(set) var albums: Live<ResultList<AlbumRow>>
  var search = "" {
    didSet { albums = Self.albums(cache, search) }
  }
  private let cache: GraphCache

  init(_ cache: GraphCache) {
    self.cache = cache
    albums = Self.albums(cache, "")
  }

  private static func albums(_ cache: GraphCache, _ search: String) -> Live<ResultList<AlbumRow>> {
    let all = RecordQuery<Album>().sorted(by: \.title)
    let found =
      search.isEmpty ? all : all.filtered(by: #Predicate { $0.title.contains(search) })
    return Live(cache, found.view(AlbumRow.init))
  }
}
