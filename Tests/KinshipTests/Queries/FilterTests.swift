import Foundation
import KinshipTesting
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

@Suite(.tags(.lawQ1)) struct FilterTests {
  struct Track: GraphRecord, Equatable, Codable {
    let id: Int
    var name: String
    var seconds: Int
    var genre: String?
  }

  static let tracks = (0..<200).map { number in
    Track(
      id: number, name: "Track \(number)", seconds: number * 7 % 100,
      genre: number % 3 == 0 ? nil : number % 3 == 1 ? "rock" : "jazz")
  }

  static let long = RecordFilter<Track>(#Predicate { $0.seconds > 50 })
  static let rock = RecordFilter<Track>(#Predicate { $0.genre == "rock" })

  private func ids(_ filter: RecordFilter<Track>) throws -> [Int] {
    try filter.matching(in: Self.tracks).map(\.id)
  }

  private func ids(_ isIncluded: (Track) -> Bool) -> [Int] {
    Self.tracks.filter(isIncluded).map(\.id)
  }

  @Test func `filters combine with and, or and not`() throws {
    #expect(try ids(Self.long && Self.rock) == ids { $0.seconds > 50 && $0.genre == "rock" })
    #expect(try ids(Self.long || Self.rock) == ids { $0.seconds > 50 || $0.genre == "rock" })
    #expect(try ids(!Self.long) == ids { $0.seconds <= 50 })
    #expect(try ids(.all && Self.long) == ids(Self.long))
    #expect((RecordFilter<Track>.all || Self.long).isAll)
    #expect(!(!RecordFilter<Track>.all).isAll)
    #expect(try ids(!.all) == [])
    let closure = RecordFilter<Track> { $0.name.hasSuffix("7") }
    #expect(try ids(closure && Self.long) == ids { $0.name.hasSuffix("7") && $0.seconds > 50 })
  }

  @Test func `a limited answer is the start of the full answer`() throws {
    let query = RecordQuery(Self.long).sorted(by: \.seconds, .descending)
    let whole = try query.answer(from: Self.tracks)
    #expect(whole.map(\.seconds) == whole.map(\.seconds).sorted(by: >))
    for (offset, limit) in [(0, 0), (0, 1), (0, 7), (3, 5), (60, 3), (63, 1), (90, 20), (300, 2)] {
      #expect(
        try query.skipping(offset).limited(to: limit).answer(from: Self.tracks)
          == Array(whole.dropFirst(offset).prefix(limit)))
    }
    #expect(try query.skipping(.max).limited(to: .max).answer(from: Self.tracks) == [])
    let rest = query.skipping(2).limited(to: .max)
    #expect(try rest.answer(from: Self.tracks) == Array(whole.dropFirst(2)))
  }

  /// A store without filters, and its requests.
  struct PlainStore: BackingStore {
    let base = MemoryStore(FilterTests.tracks)

    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      try await base.fetch(type, ids: ids)
    }

    func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      #expect(query.filter.isAll)
      return try await base.fetch(query)
    }
  }

  @Test(arguments: [0, 1, 2, 3])
  func `every placement of the records gives the same answer`(placement: Int) async throws {
    let cache =
      switch placement {
      case 0: try GraphCache(for: Track.self)
      case 1: try GraphCache(for: Track.self, store: MemoryStore(Self.tracks))
      case 2: try GraphCache(for: Track.self, store: PlainStore())
      default: try GraphCache(for: Track.self, store: WrongStore(), capacity: 10)
      }
    if placement == 0 { try await cache.put(contentsOf: Self.tracks) }
    let query = RecordQuery(Self.long).filtered(by: Self.rock).sorted(by: \.name).skipping(2)
      .limited(to: 9)
    let expected = try query.answer(from: Self.tracks)
    #expect(expected.count == 9)
    if placement == 3 {
      await #expect {
        _ = try await cache.find(query)
      } throws: { error in
        guard case KinshipError.unexpectedRecord = error else { return false }
        return true
      }
      #expect(cache.count == 0)
      return
    }
    #expect(try await cache.find(query) == expected)
    #expect(try await cache.find(query.count) == 9)
    #expect(try await cache.find(RecordQuery(Self.rock).count) == 67)
    #expect(try await cache.find(RecordQuery<Track>().skipping(150).count) == 50)
  }

  /// A store that claims to support filters, and does not.
  struct WrongStore: BackingStore {
    let base = MemoryStore(FilterTests.tracks)

    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      try await base.fetch(type, ids: ids)
    }

    func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      try await base.fetch(query.unfiltered.skipping(query.offset).limited(to: query.limit ?? .max))
    }

    func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> { .complete }
  }

  // swift-format-ignore: NeverForceUnwrap
  /// The seconds, a filter, and the reason why it cannot be evaluated.
  static let hopeless: [(Int, RecordFilter<Track>, String)] = {
    let most = Int.max
    return [
      (7, RecordFilter(#Predicate { $0.seconds + most > 3 }), "7 + 9223372036854775807 exceeds"),
      (.min, RecordFilter(#Predicate { $0.seconds - 1 < 3 }), "exceeds"),
      (.min, RecordFilter(#Predicate { -$0.seconds < 3 }), "exceeds"),
      (.min, RecordFilter(#Predicate { $0.seconds / -1 < 3 }), "exceeds"),
      (7, RecordFilter(#Predicate { $0.id / ($0.seconds - 7) > 3 }), "is a division by zero"),
      (7, RecordFilter(#Predicate { $0.id % ($0.seconds - 7) > 3 }), "is a division by zero"),
      (7, RecordFilter(#Predicate { $0.genre! == "rock" }), ""),
    ]
  }()

  @Test(arguments: hopeless.indices)
  func `a filter that cannot be evaluated is an error`(index: Int) async throws {
    let (seconds, filter, message) = Self.hopeless[index]
    let record = Track(id: 1, name: "", seconds: seconds, genre: nil)
    let isFailure: (any Error) -> Bool = { error in
      guard case KinshipError.filterFailed(let ref, let cause) = error else { return false }
      return ref == AnyRef(Ref<Track>(1)) && (message.isEmpty || "\(cause)".contains(message))
    }
    #expect { try filter.matches(record) } throws: { isFailure($0) }
    let cache = try GraphCache(for: Track.self, store: MemoryStore([record]))
    await #expect { _ = try await cache.find(RecordQuery(filter)) } throws: { isFailure($0) }
    await #expect { _ = try await cache.find(RecordQuery(filter).count) } throws: { isFailure($0) }
  }

  @Test func `a query for a type outside the schema is rejected`() async throws {
    let cache = try GraphCache(for: TestPlace.self)
    await #expect {
      _ = try await cache.find(RecordQuery(Self.long).count)
    } throws: { error in
      guard case KinshipError.invalidSchema(.unknownType("Track")) = error else { return false }
      return true
    }
  }

  /// A filter's closure runs while the cache is unlocked.
  @Test func `a filter may use the cache`() async throws {
    let cache = try GraphCache(for: Track.self)
    try await cache.put(contentsOf: Self.tracks)
    let followed = RecordFilter<Track> { [weak cache] track in
      cache?.peek(Ref<Track>(track.id + 1)) != nil
    }
    #expect(try await cache.find(RecordQuery(followed).count) == 199)
    #expect(try await cache.find((RecordQuery(Self.long && !followed)).count) == 1)
    #expect(
      try await cache.find(RecordQuery(Self.rock && followed).sorted(by: \.id)).map(\.id)
        == ids { $0.genre == "rock" && $0.id < 199 })
  }
}
