import Foundation
import Kinship
import Testing

/// The examples of conditions across relationships, verbatim.
struct RelatedQueryExamples {
  struct Artist: GraphRecord {
    let id: Int
  }

  struct Album: GraphRecord {
    let id: Int
    var year: Int
    var artist: Ref<Artist>
    var tracks: [Ref<Track>]

    static let relationships: Relationships<Album> = [.toOne(\.artist), .toMany(\.tracks)]
  }

  struct Track: GraphRecord {
    let id: Int
    var name: String
    var seconds: Int
    var album: Ref<Album>?

    static let relationships: Relationships<Track> = [.toOne(\.album)]
  }

  struct Person: GraphRecord {
    let id: Int
    var name: String
    var father: Ref<Person>?

    static let relationships: Relationships<Person> = [.toOne(\.father)]
  }

  @Test func `a filter matches records by the records they refer to`() async throws {
    let store = MemoryStore([
      Track(id: 1, name: "Yesterday", seconds: 125, album: 1),
      Track(id: 2, name: "Hey Jude", seconds: 431),
      Track(id: 3, name: "Echoes (live)", seconds: 1_410, album: 2),
    ])
    store.insert([
      Album(id: 1, year: 1_965, artist: 1, tracks: [1]),
      Album(id: 2, year: 1_971, artist: 2, tracks: [3]),
      Album(id: 3, year: 1_973, artist: 2, tracks: []),
    ])
    let cache = try GraphCache(for: Artist.self, Album.self, Track.self, store: store)
    let beatles = Ref<Artist>(1)

    let long = RecordQuery<Track>(#Predicate { $0.seconds > 300 })
    let theirs = RecordQuery<Album>(#Predicate { $0.artist == beatles })
    let british = try await cache.find(RecordQuery<Track>(.where(\.album, in: theirs)))
    let hits = try await cache.find(RecordQuery<Album>(.where(\.tracks, contain: long)))
    let lonely = try await cache.find(RecordQuery<Album>(.where(\.tracks, isEmpty: true)))

    #expect(british.map(\.id) == [1])
    #expect(hits.map(\.id) == [2])
    #expect(lonely.map(\.id) == [3])
    let isLive = RecordFilter<Track> { $0.name.hasSuffix("(live)") }
    let isLong = long.filter

    let newest = RecordQuery<Album>().sorted(by: \.year, .descending).limited(to: 10)
    let isRecent = RecordFilter<Track>.where(\.album, in: newest) && !isLive
    let recent = try await cache.find(RecordQuery(isRecent).count)
    let hasShort = RecordFilter<Album>.where(\.tracks, contain: RecordQuery(!isLong))
    let longPlayers = try await cache.find(RecordQuery<Album>(!hasShort))

    #expect(recent == 1)
    #expect(Set(longPlayers.map(\.id)) == [2, 3])
  }

  @Test func `a filter matches records by their referrers`() async throws {
    let store = MemoryStore([
      Person(id: 1, name: "Albert", father: 3), Person(id: 2, name: "Victoria", father: 4),
      Person(id: 3, name: "Ernest"), Person(id: 4, name: "Edward"),
    ])
    let cache = try GraphCache(for: Person.self, store: store)

    let childless = try await cache.find(
      RecordQuery<Person>(.where(referredToBy: \Person.father, isEmpty: true)))
    let victorians = RecordQuery<Person>(.where(\.name, hasPrefix: "V"))
    let parents = try await cache.find(
      RecordQuery<Person>(.where(referredToBy: \Person.father, in: victorians)))

    #expect(Set(childless.map(\.id)) == [1, 2])
    #expect(parents.map(\.id) == [4])
  }
}
