import Foundation
import Kinship
import Observation

/// What the list shows: albums by title, those that have the text that is searched for.
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
