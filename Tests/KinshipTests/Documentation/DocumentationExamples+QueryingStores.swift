import Foundation
import Kinship
import KinshipTestSupport
import Testing

/// The examples of stores that filter, sort and page, verbatim.
struct QueryingStoreExamples {
  struct TokenExpired: Error {}

  /// An API that filters, sorts and pages lists, and counts the records sent.
  actor CatalogAPI {
    struct Request: Sendable {
      /// Comparisons, all of which must hold: `genre=7&seconds>300`.
      var filter: String?
      /// The names of fields; a minus sign reverses the order.
      var sort: [String] = []
      /// The values of these fields after which the list begins.
      var after: [String]?
      var limit: Int?
    }

    private let tracks: [Track]
    private(set) var calls = 0
    private(set) var sent = 0
    private var refusesTokens = false

    init(_ tracks: [Track]) { self.tracks = tracks }

    func items<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) throws -> [R] {
      let ids = Set(ids as? [Int] ?? [])
      return try sending(tracks.filter { ids.contains($0.id) })
    }

    func list<R: GraphRecord>(_ type: R.Type, _ request: Request) throws -> [R] {
      var found = matching(request.filter).sorted { left, right in
        for name in request.sort {
          let (first, second) = (Self.field(left, name) ?? "", Self.field(right, name) ?? "")
          if first != second { return Self.precedes(first, second, by: name) }
        }
        return false
      }
      if let after = request.after {
        found = found.filter { track in
          for (name, value) in zip(request.sort, after) {
            let field = Self.field(track, name) ?? ""
            if field != value { return Self.precedes(value, field, by: name) }
          }
          return false
        }
      }
      return try sending(Array(found.prefix(request.limit ?? .max)))
    }

    /// Pages of 50 in the order of ids, by tokens.
    func list<R: GraphRecord>(
      _ type: R.Type, filter: String?, token: String?
    ) throws -> (items: [R], next: String?) {
      if refusesTokens, token != nil {
        refusesTokens = false
        throw TokenExpired()
      }
      let all = matching(filter).sorted { $0.id < $1.id }
      let start = token.flatMap { Int($0.dropFirst()) } ?? 0
      let page = Array(all.dropFirst(start).prefix(50))
      let end = start + page.count
      return (try sending(page), end < all.count ? "t\(end)" : nil)
    }

    func refuseNextToken() { refusesTokens = true }

    func count(_ filter: String?) -> Int { matching(filter).count }

    private func sending<R: GraphRecord>(_ found: [Track]) throws -> [R] {
      calls += 1
      sent += found.count
      guard let found = found as? [R] else {
        throw KinshipError.invalidSchema(.unknownType(R.recordName))
      }
      return found
    }

    private func matching(_ filter: String?) -> [Track] {
      guard let filter else { return tracks }
      let terms = filter.split(separator: "&").map { $0.split(maxSplits: 1) { "=>".contains($0) } }
      let signs = filter.filter { "=>".contains($0) }
      return tracks.filter { track in
        zip(terms, signs).allSatisfy { term, sign in
          guard let field = Self.field(track, String(term[0])) else { return false }
          return sign == "="
            ? field == String(term[1]) : (Int(field) ?? 0) > (Int(String(term[1])) ?? 0)
        }
      }
    }

    private static func field(_ track: Track, _ name: String) -> String? {
      switch name.drop(while: { $0 == "-" }) {
      case "id": "\(track.id)"
      case "name": track.name
      case "seconds": "\(track.seconds)"
      default: track.genre.map { "\($0.id)" }
      }
    }

    private static func precedes(_ left: String, _ right: String, by name: String) -> Bool {
      let (left, right) = name.hasPrefix("-") ? (right, left) : (left, right)
      if let left = Int(left), let right = Int(right) { return left < right }
      return left < right
    }
  }

  /// A store before an API that filters, sorts and pages, except that it cannot skip records.
  struct CatalogStore: BackingStore {
    let api: CatalogAPI

    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      try await api.items(type, ids: ids)
    }

    func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> {
      query.support(filters: { text($0) != nil }, skips: false)
    }

    func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      var request = CatalogAPI.Request()
      request.filter = text(query.filter.condition)
      request.sort = query.order.map { $0.direction == .ascending ? $0.name : "-\($0.name)" }
      request.after = query.start?.values.map { $0.map { "\($0)" } ?? "" }
      request.limit = query.limit
      return try await api.list(R.self, request)
    }

    func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
      min(await api.count(text(query.filter.condition)), query.limit ?? .max)
    }

    /// A condition in the language of the API; `nil` if it has none for it.
    func text(_ condition: FilterCondition) -> String? {
      switch condition {
      case .compare(let property, .equal, let value):
        return "\(property.name)=\(FilterCondition.stored(value))"
      case .compare(let property, .greater, let value):
        return "\(property.name)>\(FilterCondition.stored(value))"
      case .and(let left, let right):
        guard let left = text(left), let right = text(right) else { return nil }
        return "\(left)&\(right)"
      default: return nil
      }
    }
  }

  /// A store over an API that lists in one order, and continues by tokens.
  struct TokenStore: BackingStore {
    let api: CatalogAPI
    let tokens = PageTokens<String>()

    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      try await api.items(type, ids: ids)
    }

    func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> {
      let isByID = query.order.first.map { $0.name == "id" && $0.direction == .ascending } ?? true
      return query.support(filters: { _ in false }, sorts: { _ in isByID })
    }

    func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      try await tokens.records(of: query) { token in
        let page = try await api.list(R.self, filter: nil, token: token)
        return (page.items, page.next)
      }
    }
  }

  static let tracks = (0..<10_000).map { number in
    Track(
      id: number, name: "Track \(number % 1_000)", seconds: number * 7 % 600,
      genre: number % 3 == 0 ? nil : Ref(number % 3))
  }

  // MARK: Costs of the stores

  @Test func `five pages fetch their own records and one more each`() async throws {
    let api = CatalogAPI(Self.tracks)
    let cache = try GraphCache(for: Track.self, Genre.self, store: CatalogStore(api: api))
    let rock = Ref<Genre>(1)
    let query = RecordQuery<Track>(#Predicate { $0.genre == rock && $0.seconds > 300 })
      .sorted(by: \.name, .descending)
    let expected = try query.answer(from: Self.tracks)
    var page = try await cache.page(query, size: 20)
    var found = page.records.map(\.id)
    for _ in 0..<4 {
      page = try await cache.page(query, size: 20, after: page.end)
      found += page.records.map(\.id)
    }
    #expect(found == expected.prefix(100).map(\.id))
    #expect(await api.sent <= 105)
    #expect(await api.calls <= 5)
    let back = try await cache.page(query, size: 20, before: page.start)
    #expect(back.records.map(\.id) == expected[60..<80].map(\.id))
    #expect(await api.sent <= 126)
  }

  @Test func `a filtered query fetches only matching records`() async throws {
    let api = CatalogAPI(Self.tracks)
    let cache = try GraphCache(for: Track.self, Genre.self, store: CatalogStore(api: api))
    let found = try await cache.find(RecordQuery<Track>(#Predicate { $0.seconds > 590 }))
    #expect(found.count == Self.tracks.filter { $0.seconds > 590 }.count)
    #expect(await api.sent == found.count)
    #expect(await api.calls == 1)
    let counted = try await cache.find(RecordQuery<Track>(#Predicate { $0.seconds > 590 }).count)
    #expect(counted == found.count)
    #expect(await api.sent == found.count)
  }

  @Test func `windows of lazy results fetch only their own records`() async throws {
    let api = CatalogAPI(Self.tracks)
    let cache = try GraphCache(for: Track.self, Genre.self, store: CatalogStore(api: api))
    let query = RecordQuery<Track>().sorted(by: \.name)
    let expected = try query.answer(from: Self.tracks)
    let results = try await cache.results(query, windowSize: 20, readAhead: 0)
    #expect(results.count == 10_000)
    #expect(await api.sent == 0)
    for index in 0..<80 {
      #expect(try await results[index]?.id == expected[index].id)
    }
    #expect(await api.sent == 80)
    #expect(await api.calls == 4)
  }

  @Test func `the cache completes a partial filter in growing batches`() async throws {
    let api = CatalogAPI(Self.tracks)
    let cache = try GraphCache(for: Track.self, Genre.self, store: CatalogStore(api: api))
    let query = RecordQuery<Track>(#Predicate { $0.seconds > 300 && $0.name.contains("7") })
      .sorted(by: \.name).limited(to: 20)
    let expected = try query.answer(from: Self.tracks)
    #expect(try await cache.find(query).map(\.id) == expected.map(\.id))
    #expect(await api.sent < 500)
    #expect(await api.calls < 6)
    let explanation = try await cache.explain(query)
    #expect(!explanation.isFilteredByStore)
    #expect(explanation.storeFilter == "seconds > 300")
    #expect("\(explanation)".contains("filtered there by seconds > 300, and here"))
    #expect(explanation.storeCalls > 1)

    let calls = await api.calls
    let skipped = query.skipping(40)
    #expect(
      try await cache.find(skipped).map(\.id) == skipped.answer(from: Self.tracks).map(\.id))
    #expect(await api.calls - calls < 7)
    // The store supports only the order and the limit.
    let live = RecordQuery(RecordFilter<Track> { $0.id % 50 == 0 }).sorted(by: \.id).limited(to: 3)
    let sent = await api.sent
    #expect(try await cache.find(live).map(\.id) == [0, 50, 100])
    #expect(await api.sent - sent < 250)
  }

  @Test func `an API with page tokens continues from its last token`() async throws {
    let api = CatalogAPI(Self.tracks)
    let cache = try GraphCache(for: Track.self, Genre.self, store: TokenStore(api: api))
    let query = RecordQuery<Track>().sorted(by: \.id)
    var page = try await cache.page(query, size: 20)
    var found = page.records.map(\.id)
    for _ in 0..<9 {
      page = try await cache.page(query, size: 20, after: page.end)
      found += page.records.map(\.id)
    }
    #expect(found == Array(0..<200))
    // Each page of the API serves two or three pages, which request it again.
    #expect(await api.calls <= 14)
    let back = try await cache.page(query, size: 20, before: page.start)
    #expect(back.records.map(\.id) == Array(160..<180))
    let byName = RecordQuery<Track>(#Predicate { $0.seconds > 300 }).sorted(by: \.name)
      .limited(to: 7)
    #expect(
      try await cache.find(byName).map(\.id) == byName.answer(from: Self.tracks).map(\.id))
  }

  @Test func `an API that rejects a token is read from the start`() async throws {
    let api = CatalogAPI(Self.tracks)
    let cache = try GraphCache(for: Track.self, Genre.self, store: TokenStore(api: api))
    let query = RecordQuery<Track>().sorted(by: \.id)
    let page = try await cache.page(query, size: 70)
    await api.refuseNextToken()
    await #expect(throws: KinshipError.self) {
      try await cache.page(query, size: 20, after: page.end)
    }
    await api.refuseNextToken()
    let first = try await cache.page(query, size: 20)
    let next = try await cache.page(query, size: 20, after: first.end)
    #expect(next.records.map(\.id) == Array(20..<40))
  }
}
