import Foundation
import Kinship
import KinshipFoundation
import KinshipTestSupport
import KinshipTestTraits
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A cache over a server on the loopback interface, whose every answer the test decides.
@Suite(.boundedWaits)
struct HTTPStoreTests {
  private let clock = ManualClock()
  private let server: CatalogServer
  private let store: CatalogStore
  private let cache: GraphCache
  private let ref: Ref<Album> = 3

  init() throws {
    server = try CatalogServer(albums: 200)
    store = CatalogStore(base: server.server.url, source: HTTPSource(clock: clock))
    cache = try GraphCache(
      for: Album.self, Artist.self, store: store, fetching: FetchLimits(batchSize: 50), clock: clock
    )
  }

  /// The requests, the decoded answers, and those that have not changed.
  private var statistics: [Int] {
    let statistics = store.source.statistics
    return [statistics.requests, statistics.decodings, statistics.unchanged]
  }

  // MARK: Reading

  @Test func `records are fetched by ids in batches`() async throws {
    let found = try await cache.find((0..<120).map { Ref<Album>($0) })
    #expect(found.compactMap { $0 }.count == 120)
    let batches = server.requests.map { $0.query["ids"]?.split(separator: ",").count ?? 0 }
    #expect(batches.sorted() == [20, 50, 50])
    #expect(try await cache.find(Ref<Album>(999)) == nil)
  }

  @Test func `a query is filtered and sorted by the server and continued by tokens`() async throws {
    let query = RecordQuery<Album>().sorted(by: \.title)
    let expected = try query.answer(from: Array(server.albums.values))
    var page = try await cache.page(query, size: 40)
    var found = page.records
    for _ in 0..<4 {
      page = try await cache.page(query, size: 40, after: page.end)
      found += page.records
    }
    #expect(found == expected)
    // The server's pages are of 50: each is asked for once or twice.
    #expect(server.requests.count <= 9)
    let tokens = Set(server.requests.map { $0.query["token"] })
    #expect(tokens == ["", "t50", "t100", "t150"])

    let artist = Ref<Artist>(2)
    let some = RecordQuery<Album>(#Predicate { $0.artist == artist }).sorted(by: \.id, .descending)
    #expect(try await cache.find(some) == some.answer(from: expected))
    #expect(server.requests.last?.query["filter"] == "artist=2")
  }

  @Test func `a graph takes one request because related records are embedded`() async throws {
    let refs = (0..<40).map { Ref<Album>($0) }
    let graphs = try await cache.find(refs.graphs(.following(\.artist, generations: 1)))
    #expect(graphs.compactMap { $0?.root.artist?.name }.count == 40)
    #expect(server.requests.map(\.path) == ["/albums"])
    #expect(server.requests.first?.query["include"] == "artist")
  }

  @Test func `an unchanged record is fresh again without being decoded`() async throws {
    let first = try await cache.resolve(ref)
    clock.advance(by: .seconds(90))
    #expect(cache.age(of: ref) == .seconds(90))
    #expect(try await cache.resolve(ref, .within(.seconds(60))) == first)
    #expect(statistics == [2, 1, 1])
    #expect(cache.age(of: ref) == .zero)
    // It is young now: nobody asks again.
    _ = try await cache.resolve(ref, .within(.seconds(60)))
    #expect(server.requests.count == 2)

    server.albums[3]?.title = "Changed"
    clock.advance(by: .seconds(90))
    #expect(try await cache.resolve(ref, .within(.seconds(60))).title == "Changed")
    #expect(statistics == [3, 2, 1])
  }

  @Test func `answers are remembered by their tags, up to the capacity`() async throws {
    let source = HTTPSource(capacity: 2)
    func ask(_ path: String) async throws -> Int {
      let request = URLRequest(url: server.server.url.appending(path: path))
      return try await source.answer(to: request) { $0.count }
    }
    // An answer without a tag is not remembered.
    for _ in 0..<2 {
      server.next { request, _ in
        #expect(request.headers["if-none-match"] == nil)
        return .init(body: Data("12345".utf8))
      }
      #expect(try await ask("untagged") == 5)
    }
    for path in ["a", "b", "a", "c", "a"] {
      server.next { request, _ in
        request.headers["if-none-match"] == "\"\(path)\""
          ? .init(status: 304)
          : .init(headers: ["ETag": "\"\(path)\""], body: Data(path.utf8))
      }
      #expect(try await ask(path) == 1)
    }
    // The third address drops the first two.
    #expect(source.statistics.unchanged == 1 && source.statistics.decodings == 6)
  }

  // MARK: Waiting

  @Test(arguments: [
    (["Retry-After": "7"], 7),
    (
      ["Date": "Wed, 21 Oct 2015 07:28:00 GMT", "Retry-After": "Wed, 21 Oct 2015 07:28:12 GMT"], 12
    ),
  ])
  func `a busy server is asked again when it says`(
    headers: [String: String], seconds: Int
  ) async throws {
    server.next { _, _ in .init(status: 429, headers: headers) }
    async let album = cache.resolve(ref)
    try await clock.waitForSleepers(1)
    #expect(server.requests.count == 1)
    clock.advance(by: .seconds(seconds - 1))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(1))
    #expect(try await album.id == 3)
    #expect(server.requests.count == 2)
  }

  @Test func `a server that is busy for longer than a reader waits is an error`() async throws {
    for headers in [["Retry-After": "3600"], [:], ["Retry-After": "soon"]] {
      server.next { _, _ in .init(status: 503, headers: headers) }
      await #expect {
        try await cache.resolve(ref)
      } throws: {
        guard case .busy(_, 503, let wait)? = HTTPFailure($0) else { return false }
        return wait == (headers["Retry-After"] == "3600" ? .seconds(3600) : nil)
      }
    }
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a server that is always busy is not asked forever`() async throws {
    for _ in 0..<3 { server.next { _, _ in .init(status: 429, headers: ["Retry-After": "0"]) } }
    await #expect(throws: KinshipError.self) { try await cache.resolve(ref) }
    #expect(server.requests.count == 3)
    #expect(try await cache.resolve(ref).id == 3)
  }

  @Test func `a server that does not answer is an outage`() async throws {
    let end = DispatchSemaphore(value: 0)
    defer { end.signal() }
    server.next { _, proceed in
      end.wait()
      return proceed()
    }
    var request = URLRequest(url: server.server.url)
    request.timeoutInterval = 1
    let failure = await #expect(throws: HTTPFailure.self) { try await store.source.send(request) }
    // It may have arrived.
    #expect(failure?.isOutage == true && failure?.isRefusal == false)
  }

  @Test func `a deadline of the cache ends a request`() async throws {
    let end = DispatchSemaphore(value: 0)
    defer { end.signal() }
    server.next { _, proceed in
      end.wait()
      return proceed()
    }
    let cache = try GraphCache(
      for: Album.self, Artist.self, store: store, fetching: FetchLimits(deadline: .seconds(5)),
      clock: clock)
    let album = Task { try await cache.resolve(ref) }
    try await clock.waitForSleepers(1)
    try await wait { server.requests.count == 1 }
    clock.advance(by: .seconds(5))
    await #expect {
      try await album.value
    } throws: {
      guard case KinshipError.fetchFailed(_, _, let cause) = $0 else { return false }
      guard case KinshipError.deadlineExceeded = cause else { return false }
      return true
    }
  }

  @Test func `a cancelled request ends at once`() async throws {
    let end = DispatchSemaphore(value: 0)
    defer { end.signal() }
    server.next { _, proceed in
      end.wait()
      return proceed()
    }
    let request = URLRequest(url: server.server.url)
    let task = Task { [store] in try await store.source.send(request).1.statusCode }
    try await wait { server.requests.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  // MARK: Writing

  @Test func `a queued write whose answer was lost is made once`() async throws {
    let directory = try TemporaryDirectory()
    let queue = try await OfflineQueue(
      at: directory.url.appending(path: "queue"), schema: cache.schema)
    _ = try await cache.resume(queue)
    _ = try await cache.resolve(ref)
    server.always { _, _ in nil }
    let pending = try await cache.writeOptimistically { [ref] tx in
      try tx.update(ref, \.title, to: "Offline")
    }
    func verifyOutage() async throws {
      await #expect { try await cache.sendQueuedWrites() } throws: {
        HTTPFailure($0)?.isOutage == true
      }
      #expect(pending.isPending && cache.peek(ref)?.title == "Offline")
    }
    // The connection is lost before the request has arrived, and then after the change was made.
    try await verifyOutage()
    #expect(server.albums[3]?.title == "Album 3")
    server.always { _, proceed in
      _ = proceed()
      return nil
    }
    try await verifyOutage()
    #expect(server.albums[3]?.title == "Offline")
    server.always(nil)
    // Somebody else changes the record, which a second change would undo.
    server.albums[3]?.title = "Somebody else's"
    try await cache.sendQueuedWrites()
    try await pending.outcome()
    #expect(server.albums[3]?.title == "Somebody else's")
    let keys = server.requests.filter { $0.path == "/changes" }.map {
      $0.headers["idempotency-key"]
    }
    #expect(keys.count >= 3 && Set(keys).count == 1 && keys[0]?.count == 32)
    await queue.close()
  }

  @Test func `a refused write leaves memory as it was`() async throws {
    _ = try await cache.resolve(ref)
    await #expect {
      try await cache.write { [ref] tx in try tx.update(ref, \.title, to: "") }
    } throws: {
      guard case .status(_, 422, let body)? = HTTPFailure($0) else { return false }
      return String(decoding: body, as: UTF8.self) == "no title"
    }
    #expect(cache.peek(ref)?.title == "Album 3")
  }

  @Test func `a conflict is resolved by reading the record again`() async throws {
    _ = try await cache.resolve(ref)
    server.albums[3]?.title = "Theirs"
    try await cache.write(retries: 1) { [ref] tx in
      let title = tx[ref]?.title ?? ""
      try tx.update(ref, \.title, to: "\(title) and mine")
    }
    #expect(server.albums[3]?.title == "Theirs and mine")
  }

  // MARK: Errors

  @Test(
    arguments: [
      (.unreachable(nil, isUnsent: true, cause: URLError(.cannotFindHost)), true, true),
      (.unreachable(nil, isUnsent: false, cause: URLError(.timedOut)), true, false),
      (.busy(nil, status: 503, retryAfter: nil), true, true),
      (.status(nil, 404, body: Data()), false, true),
      (.status(nil, 408, body: Data()), true, false),
      (.status(nil, 500, body: Data()), false, false),
      (.status(nil, 502, body: Data()), true, false),
      (.status(nil, 504, body: Data()), true, false),
      (.undecodable(nil, cause: URLError(.cannotParseResponse)), false, false),
    ] as [(HTTPFailure, Bool, Bool)])
  func `a failure is an outage or a refusal as the article says`(
    failure: HTTPFailure, isOutage: Bool, isRefusal: Bool
  ) {
    #expect(store.isOutage(failure) == isOutage)
    #expect(store.isRefusal(KinshipError.commitFailed(cause: failure)) == isRefusal)
    #expect("\(failure)".hasPrefix("A request without an address"))
  }

  @Test func `errors of the library stay what they are`() {
    let conflict = KinshipError.conflict(AnyRef(ref), mine: nil, theirs: nil)
    #expect(store.isRefusal(conflict) && !store.isOutage(conflict))
    if let failure = HTTPFailure(conflict) { Issue.record("\(failure) is no failure of HTTP") }
    struct Unknown: Error {}
    #expect(!store.isRefusal(Unknown()) && !store.isOutage(Unknown()))
  }

  // MARK: The view

  @Test @MainActor func `a view shows states, never errors`() async throws {
    let live = Live(cache, ref)
    #expect(live.remoteState == .loading)
    try await wait { live.remoteState == .current }
    #expect(live.value?.title == "Album 3")

    /// Reloads the record while the server answers by a script.
    func reload(_ interlude: @escaping CatalogServer.Interlude) async throws -> RemoteState {
      server.next(interlude)
      await cache.invalidate(ref)
      try await wait { live.error != nil }
      defer { live.retry() }
      return live.remoteState
    }
    #expect(try await reload { _, _ in nil } == .offline)
    try await wait { live.remoteState == .current }
    #expect(
      try await reload { _, _ in .init(status: 429, headers: ["Retry-After": "99"]) }
        == .busy(retryAfter: .seconds(99)))
    try await wait { live.remoteState == .current }
    for answer in [
      CatalogServer.Response(status: 500), .init(status: 404), .init(body: Data("<html>".utf8)),
    ] {
      guard case .failed(let reason) = try await reload({ _, _ in answer }) else {
        Issue.record("\(live.remoteState) is not a failure")
        continue
      }
      #expect(reason.contains("/albums?ids=3"))
      try await wait { live.remoteState == .current }
    }
    server.server.stop()
    await cache.invalidate(ref)
    try await wait { live.remoteState == .offline }
    #expect(HTTPFailure(try #require(live.error))?.isRefusal == true)
  }

  // MARK: The example

  @Test func `a store over HTTP has at most 120 lines`() throws {
    let file = try RepositoryFile(
      "Tests/KinshipTests/HTTP/DocumentationExamples+CatalogStore.swift")
    #expect(file.lines.count <= 121, "and the end of the last")
  }
}
