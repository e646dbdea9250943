import Foundation
import Kinship
import KinshipTestSupport
import Synchronization

struct Album: GraphRecord, Codable, Hashable {
  let id: Int
  var title: String
  var artist: Ref<Artist>

  static let relationships: Relationships<Album> = [.toOne(\.artist)]
}

struct Artist: GraphRecord, Codable, Hashable {
  let id: Int
  var name: String
}

/// A server with albums and artists, as an API for apps is: lists in batches, filters, sorts, and
/// continues by tokens; it embeds related records, marks answers with an `ETag`, and makes each
/// change once.
final class CatalogServer: Sendable {
  typealias Request = LoopbackServer.Request
  typealias Response = LoopbackServer.Response
  /// Answers one request instead of the server, which `proceed` answers as usual.
  typealias Interlude = @Sendable (Request, _ proceed: () -> Response) -> Response?

  private struct Answer: Encodable {
    var albums: [Album]?
    var artists: [Artist]?
    var next: String?
  }

  private struct State {
    var albums: [Int: Album] = [:]
    var artists: [Int: Artist] = [:]
    var keys: Set<String> = []
    var interludes: [Interlude] = []
    var lasting: Interlude?
  }

  private let state: Shared
  let server: LoopbackServer

  /// The state that the threads of the server share.
  private final class Shared: Sendable {
    let mutex: Mutex<State>
    init(_ state: sending State) { mutex = Mutex(state) }
  }

  init(albums count: Int = 0) throws {
    var state = State()
    for id in 0..<count {
      state.albums[id] = Album(id: id, title: "Album \(id % 10)", artist: Ref(id % 7))
    }
    for id in 0..<7 { state.artists[id] = Artist(id: id, name: "Artist \(id)") }
    let shared = Shared(state)
    self.state = shared
    server = try LoopbackServer { request in
      let interlude = shared.mutex.withLock { state in
        state.interludes.isEmpty ? state.lasting : state.interludes.removeFirst()
      }
      let proceed = { shared.mutex.withLock { Self.answer(request, &$0) } }
      return interlude.map { $0(request, proceed) } ?? proceed()
    }
  }

  var requests: [Request] { server.requests }

  var albums: [Int: Album] {
    get { state.mutex.withLock { $0.albums } }
    set { state.mutex.withLock { $0.albums = newValue } }
  }

  /// Has the next request that no other interlude answers be answered otherwise.
  func next(_ interlude: @escaping Interlude) {
    state.mutex.withLock { $0.interludes.append(interlude) }
  }

  /// Has all requests be answered otherwise; `nil` as usual.
  func always(_ interlude: Interlude?) { state.mutex.withLock { $0.lasting = interlude } }

  private static func answer(_ request: Request, _ state: inout State) -> Response {
    do {
      return switch request.path {
      case "/albums": try answer(request, state)
      case "/artists":
        try tagged(Answer(artists: ids(request).compactMap { state.artists[$0] }), request)
      case "/changes": try make(request, &state)
      default: Response(status: 404)
      }
    } catch {
      return Response(status: 400, body: Data("\(error)".utf8))
    }
  }

  private static func answer(_ request: Request, _ state: State) throws -> Response {
    guard request.query["ids"] == nil else {
      let albums = ids(request).compactMap { state.albums[$0] }
      let artists = Set(albums.map(\.artist.id)).sorted().compactMap { state.artists[$0] }
      let isEmbedding = request.query["include"] == "artist"
      return try tagged(Answer(albums: albums, artists: isEmbedding ? artists : nil), request)
    }
    let artist = request.query["filter"].flatMap {
      $0.split(separator: "=").last.flatMap { Int($0) }
    }
    let isDescending = request.query["sort"]?.hasPrefix("-") ?? false
    let isByTitle = request.query["sort"]?.contains("title") ?? false
    let found = state.albums.values.filter { artist == nil || $0.artist.id == artist }
      .sorted { left, right in
        let (left, right) = isDescending ? (right, left) : (left, right)
        return isByTitle && left.title != right.title
          ? left.title < right.title : (left.id < right.id) != (isByTitle && isDescending)
      }
    let start = request.query["token"].flatMap { Int($0.dropFirst()) } ?? 0
    let page = Array(found.dropFirst(start).prefix(50))
    let end = start + page.count
    return try tagged(Answer(albums: page, next: end < found.count ? "t\(end)" : nil), request)
  }

  private static func ids(_ request: Request) -> [Int] {
    request.query["ids"]?.split(separator: ",").compactMap { Int($0) } ?? []
  }

  private static func tagged(_ answer: Answer, _ request: Request) throws -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let body = try encoder.encode(answer)
    let hash = body.reduce(14_695_981_039_346_656_037 as UInt64) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    let headers = ["ETag": "\"\(hash)\"", "Content-Type": "application/json"]
    if request.headers["if-none-match"] == headers["ETag"] {
      return Response(status: 304, headers: headers)
    }
    return Response(headers: headers, body: body)
  }

  private static func make(_ request: Request, _ state: inout State) throws -> Response {
    if let key = request.headers["idempotency-key"], !state.keys.insert(key).inserted {
      return Response()
    }
    let decoder = JSONDecoder()
    decoder.userInfo[.kinshipSchema] = try GraphSchema(Album.self, Artist.self)
    let changes = try decoder.decode(ChangeSet.self, from: request.body)
    for change in changes.updated(Album.self) {
      guard let old = change.old, state.albums[old.id] == old else {
        let index = changes.refs.firstIndex(of: AnyRef(change.ref)) ?? 0
        return Response(status: 409, body: Data("\(index)".utf8))
      }
      if change.new?.title == "" { return Response(status: 422, body: Data("no title".utf8)) }
      state.albums[old.id] = change.new
    }
    for album in changes.inserted(Album.self) { state.albums[album.id] = album }
    for album in changes.deleted(Album.self) { state.albums[album.id] = nil }
    return Response()
  }
}
