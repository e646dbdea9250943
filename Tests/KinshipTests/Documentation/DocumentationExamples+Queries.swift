import Foundation
import Kinship
import KinshipTestSupport
import Testing

extension RecordQuery<Track> {
  static func long(_ genre: Ref<Genre>) -> RecordQuery {
    RecordQuery(#Predicate { $0.seconds > 300 && $0.genre == genre })
      .sorted(by: \.name)
  }
}

struct Genre: GraphRecord, Codable {
  let id: Int
  var name: String
}

struct Track: GraphRecord, Codable {
  let id: Int
  var name: String
  var seconds: Int
  var genre: Ref<Genre>?
  var year: Int?

  static let relationships: Relationships<Track> = [.toOne(\.genre)]
}

struct Song: GraphRecord {
  let id: Int
  var name: String
  var genre: Ref<Genre>?
  var code: String?

  static let relationships: Relationships<Song> = [.toOne(\.genre)]
  static let indexes: RecordIndexes<Song> = [
    .hashed(\.genre), .ordered(\.genre, \.name), .unique(\.code),
  ]
}

struct Rating: Comparable, Hashable, Sendable {
  let stars: Int
  static func < (left: Rating, right: Rating) -> Bool { left.stars < right.stars }
}

extension Rating: IndexedValue {}

extension Track {
  var initial: String { String(name.prefix(1)) }
}

/// The examples of the documentation of queries, word for word.
struct QueryExamples {
  let rock = Ref<Genre>(1)

  private func makeCache() throws -> GraphCache {
    let store = MemoryStore([
      Track(id: 1, name: "So What", seconds: 562, genre: 2),
      Track(id: 2, name: "Echoes (live)", seconds: 1_410, genre: 1, year: 1_971),
      Track(id: 3, name: "Echoes", seconds: 1_411, genre: 1, year: 1_971),
      Track(id: 4, name: "Money", seconds: 382, genre: 1, year: 1_973),
      Track(id: 5, name: "Us", seconds: 12, genre: 1),
    ])
    return try GraphCache(for: Track.self, Genre.self, store: store)
  }

  @Test func `named queries are found and counted`() async throws {
    let cache = try makeCache()

    let firstTwenty = try await cache.find(RecordQuery.long(rock).limited(to: 20))
    let howMany = try await cache.find(RecordQuery.long(rock).count)

    #expect(firstTwenty.map(\.id) == [3, 2, 4])
    #expect(howMany == 3)
    var total = 0

    for track in try await cache.find(RecordQuery<Track>(), .passing) { total += track.seconds }

    #expect(total == 3_777)
  }

  @Test func `filters combine with and, or and not`() async throws {
    let cache = try makeCache()

    let long = RecordFilter<Track>(#Predicate { $0.seconds > 300 })
    let live = RecordFilter<Track> { $0.name.hasSuffix("(live)") }
    let tracks = try await cache.find(RecordQuery(long && !live).sorted(by: \.name))

    #expect(tracks.map(\.id) == [3, 4, 1])
  }

  @Test func `a query sorts by several properties and places nil last`() async throws {
    let cache = try makeCache()

    let newestFirst = RecordQuery<Track>()
      .sorted(by: \.year, .descending, nils: .last)
      .sorted(by: \.name)

    #expect(try await cache.find(newestFirst).map(\.id) == [4, 3, 2, 1, 5])
  }

  @Test func `a query is read in pages`() async throws {
    let cache = try makeCache()
    var shown: [Int] = []
    func show(_ tracks: [Track]) { shown += tracks.map(\.id) }

    var page = try await cache.page(.long(rock), size: 20)
    show(page.records)
    while page.hasMore {
      page = try await cache.page(.long(rock), size: 20, after: page.end)
      show(page.records)
    }

    #expect(shown == [3, 2, 4])
  }

  @Test func `lazy results load as they are read`() async throws {
    let cache = try makeCache()
    var shown: [String] = []
    func show(_ name: String) { shown.append(name) }

    let results = try await cache.results(.long(rock), windowSize: 50)
    let howMany = results.count
    let track = try await results[4_711]
    for try await track in results {
      show(track.name)
    }

    #expect(howMany == 3)
    #expect(track == nil)
    #expect(shown == ["Echoes", "Echoes (live)", "Money"])
  }

  @MainActor @Test func `windowed results fill a view`() async throws {
    let cache = try makeCache()

    let tracks = WindowedResults(cache, .long(rock))
    let titles = (0..<tracks.count).map { tracks[$0]?.name ?? "…" }

    #expect(titles == [])
    try await wait { tracks[2]?.name == "Money" }
  }

  @Test func `a query of memory alone does not ask the store`() async throws {
    let cache = try makeCache()
    _ = try await cache.find(Ref<Track>(4))

    let atHand = try await cache.find(.long(rock), .memoryOnly)

    #expect(atHand.map(\.id) == [4])
  }

  @Test func `a query asks for the first record, existence or refs`() async throws {
    let cache = try makeCache()

    let byLength = RecordQuery<Track>().sorted(by: \.seconds, .descending)
    let longest = try await cache.find(byLength.first)

    #expect(longest?.id == 3)
    let live = RecordFilter<Track> { $0.name.hasSuffix("(live)") }

    let isLive = try await cache.find(RecordQuery(live).exists)
    let refs = try await cache.find(RecordQuery(live).refs)

    #expect(isLive)
    #expect(refs == [2])
  }

  @Test func `a query counts, groups and aggregates`() async throws {
    let cache = try makeCache()

    let tracksByGenre = try await cache.find(RecordQuery<Track>().grouped(by: \.genre).count)
    let genres = try await cache.find(RecordQuery<Track>().values(of: \Track.genre))
    let shortest = try await cache.find(RecordQuery.long(rock).minimum(of: \.seconds))
    let seconds = try await cache.find(RecordQuery.long(rock).sum(of: \.seconds))
    let average = try await cache.find(RecordQuery.long(rock).average(of: \.seconds))

    #expect(tracksByGenre == [1: 4, 2: 1])
    #expect(genres == [1, 2])
    #expect(shortest == 382)
    #expect(seconds == 3_203)
    #expect(average == 3_203.0 / 3)
  }

  @Test func `a cache explains how it answered a query`() async throws {
    let cache = try makeCache()

    let explanation = try await cache.explain(.long(rock).limited(to: 20))

    #expect(explanation.index == [] && explanation.recordsLookedAt == 5)
    #expect(
      explanation.description
        == "3 of 5 records, from the store (1 call, 3 fetched, filtered there)")
  }

  @Test func `an index rejects a duplicate of a unique value`() async throws {
    let cache = try GraphCache(for: Song.self, Genre.self)
    try await cache.put(Song(id: 1, name: "So What", genre: 2, code: "A"))
    await #expect(throws: KinshipError.self) {
      try await cache.put(Song(id: 2, name: "Echoes", genre: 1, code: "A"))
    }
    #expect(cache.count == 1)
    #expect(Rating.precedence(of: Rating(stars: 1), to: Rating(stars: 2)) == .before)
  }

  @Test func `a text filter can ignore case and diacritics`() async throws {
    let cache = try makeCache()

    let victorias = RecordFilter<Track>.where(
      \.name, contains: "vic", ignoring: [.case, .diacritics])

    #expect(try await cache.find(RecordQuery(victorias).count) == 0)

    let found = try await cache.find(
      RecordQuery<Track>(.where(\.name, hasPrefix: "ech", ignoring: .case)).sorted(by: \.id))

    #expect(found.map(\.id) == [2, 3])
  }

  /// Rows that follow the changes they receive.
  private final class Table: Sendable {
    private let rows = Lock<[Track]>([])
    let isFilled = Gate()
    let isRenamed = Gate()

    var ids: [Int] { rows.withLock { $0.map(\.id) } }

    func apply(_ diff: ListDiff<Track>) {
      let first = rows.withLock { rows in
        rows = diff.applying(to: rows)
        return rows.first
      }
      isFilled.open()
      if first?.name == "Dogs" { isRenamed.open() }
    }
  }

  @Test func `an observer of a query applies its changes to a table`() async throws {
    let (cache, table, rock) = (try makeCache(), Table(), rock)
    let following = Task {
      for try await change in cache.observe(RecordQuery.long(rock).limited(to: 20)) {
        table.apply(change.diff)
      }
    }
    try await table.isFilled.wait()
    #expect(table.ids == [3, 2, 4])
    try await cache.write { tx in tx[Ref<Track>(4)]?.name = "Dogs" }
    try await table.isRenamed.wait()
    #expect(table.ids == [4, 3, 2])
    following.cancel()
    try await following.value
  }

  private final class Sections: Sendable {
    private let state = Lock<[RecordSection<String, Track>]>([])

    var all: [RecordSection<String, Track>] {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
  }

  @Test func `an observer of sections applies changes within them`() async throws {
    let (cache, shown, rock) = (try makeCache(), Sections(), rock)
    let following = Task {
      var sections: [RecordSection<String, Track>] {
        get { shown.all }
        set { shown.all = newValue }
      }
      for try await change in cache.observe(RecordQuery.long(rock).sections(by: \.initial)) {
        sections = change.diff.applying(to: sections)
      }
    }
    try await wait { shown.all.map(\.key) == ["E", "M"] }
    #expect(shown.all.map { $0.map(\.id) } == [[3, 2], [4]])
    try await cache.write { tx in tx[Ref<Track>(4)]?.name = "Dogs" }
    try await wait { shown.all.map(\.key) == ["D", "E"] }
    #expect(shown.all.map { $0.map(\.id) } == [[4], [3, 2]])
    following.cancel()
    try await following.value
  }
}
