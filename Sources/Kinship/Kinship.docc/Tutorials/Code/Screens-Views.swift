#if canImport(SwiftUI)
  import Kinship
  import SwiftUI

  struct AlbumListView: View {
    @State private var list: AlbumList
    private let cache: GraphCache

    init(cache: GraphCache) {
      self.cache = cache
      _list = State(wrappedValue: AlbumList(cache))
    }

    var body: some View {
      NavigationStack {
        List(list.albums.value) { album in
          NavigationLink("\(album.title), by \(album.artist)", value: Ref<Album>(album.id))
        }
        .searchable(text: $list.search)
        .navigationDestination(for: Ref<Album>.self) { ref in
          AlbumDetailView(cache: cache, ref: ref)
        }
      }
    }
  }

  struct AlbumDetailView: View {
    @State private var detail: AlbumDetail

    init(cache: GraphCache, ref: Ref<Album>) {
      _detail = State(wrappedValue: AlbumDetail(cache, ref))
    }

    var body: some View {
      List(detail.album.value?.tracks ?? []) { track in
        Text(track.name)
      }
      .navigationTitle(detail.title)
    }
  }
#endif
