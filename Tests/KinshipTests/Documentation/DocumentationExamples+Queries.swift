import Foundation
import Kinship
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

  @Test func named() async throws {
    let cache = try makeCache()

    let firstTwenty = try await cache.find(.long(rock).limited(to: 20))
    let howMany = try await cache.count(.long(rock))

    #expect(firstTwenty.map(\.id) == [3, 2, 4])
    #expect(howMany == 3)
  }

  @Test func combined() async throws {
    let cache = try makeCache()

    let long = RecordFilter<Track>(#Predicate { $0.seconds > 300 })
    let live = RecordFilter<Track> { $0.name.hasSuffix("(live)") }
    let tracks = try await cache.find(RecordQuery(long && !live).sorted(by: \.name))

    #expect(tracks.map(\.id) == [3, 4, 1])
  }

  @Test func ordered() async throws {
    let cache = try makeCache()

    let newestFirst = RecordQuery<Track>()
      .sorted(by: \.year, .descending, nils: .last)
      .sorted(by: \.name)

    #expect(try await cache.find(newestFirst).map(\.id) == [4, 3, 2, 1, 5])
  }

  @Test func inPages() async throws {
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

  @Test func inMemoryAlone() async throws {
    let cache = try makeCache()
    _ = try await cache.find(Ref<Track>(4))

    let atHand = try await cache.find(.long(rock), from: .cachedOnly)

    #expect(atHand.map(\.id) == [4])
  }
}
