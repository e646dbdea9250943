import Foundation
import Kinship
import Testing

extension RecordQuery<Track> {
  static func long(_ genre: Ref<Genre>) -> RecordQuery {
    RecordQuery(#Predicate { $0.seconds > 300 && $0.genre == genre })
      .sorted(by: \.name).sorted(by: \.id)
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

  static let relationships: Relationships<Track> = [.toOne(\.genre)]
}

/// The examples of the documentation of queries, word for word.
struct QueryExamples {
  let rock = Ref<Genre>(1)

  private func makeCache() throws -> GraphCache {
    let store = MemoryStore([
      Track(id: 1, name: "So What", seconds: 562, genre: 2),
      Track(id: 2, name: "Echoes (live)", seconds: 1_410, genre: 1),
      Track(id: 3, name: "Echoes", seconds: 1_411, genre: 1),
      Track(id: 4, name: "Money", seconds: 382, genre: 1),
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

  @Test func asked() async throws {
    let cache = try makeCache()

    let longest = try await cache.first(RecordQuery<Track>().sorted(by: \.seconds, .descending))

    #expect(longest?.id == 3)
    let live = RecordFilter<Track> { $0.name.hasSuffix("(live)") }

    let isLive = try await cache.exists(RecordQuery(live))
    let refs = try await cache.refs(RecordQuery(live))

    #expect(isLive)
    #expect(refs == [2])
  }

  @Test func counted() async throws {
    let cache = try makeCache()

    let tracksByGenre = try await cache.count(RecordQuery<Track>(), groupedBy: \.genre)
    let genres = try await cache.distinctValues(of: \Track.genre)
    let shortest = try await cache.minimum(of: \.seconds, in: .long(rock))
    let seconds = try await cache.sum(of: \.seconds, in: .long(rock))
    let average = try await cache.average(of: \.seconds, in: .long(rock))

    #expect(tracksByGenre == [1: 4, 2: 1])
    #expect(genres == [1, 2])
    #expect(shortest == 382)
    #expect(seconds == 3_203)
    #expect(average == 3_203.0 / 3)
  }

  @Test func folded() async throws {
    let cache = try makeCache()

    let victorias = RecordFilter<Track>.where(
      \.name, contains: "vic", ignoring: [.case, .diacritics])

    #expect(try await cache.count(RecordQuery(victorias)) == 0)

    let found = try await cache.find(
      RecordQuery<Track>(.where(\.name, hasPrefix: "ech", ignoring: .case)).sorted(by: \.id))

    #expect(found.map(\.id) == [2, 3])
  }
}
