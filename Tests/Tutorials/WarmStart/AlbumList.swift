import Foundation
import Kinship
import Observation

/// The content of the list: the albums that contain the searched text, by title.
@MainActor
@Observable
final class AlbumList {
  private(set) var albums: Live<RecordList<Album>>
  var search = "" {
    didSet { albums = Live(cache, Self.query(search)) }
  }
  private let cache: GraphCache

  init(_ cache: GraphCache) {
    self.cache = cache
    albums = Live(cache, Self.query(""))
  }

  private static func query(_ search: String) -> RecordQuery<Album> {
    let all = RecordQuery<Album>().sorted(by: \.title)
    return search.isEmpty ? all : all.filtered(by: #Predicate { $0.title.contains(search) })
  }
}
