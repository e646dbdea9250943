import Foundation
import KinshipTesting
import KinshipTestSupport
import KinshipTestTraits
import KinshipTrials
import Testing

@testable import Kinship

/// A store can read a filter, and a query's order and start.
@Suite(.tags(.lawQ1)) struct FilterTreeTests {
  typealias Track = FilterTests.Track

  @Test func `a filter's tree matches the same records as the filter`() throws {
    var readable = 0
    var random = SplitMix64(seed: 7)
    let count = try Effort().operations(4_000)
    for _ in 0..<count where try PredicateTrial(using: &random).runTree() { readable += 1 }
    #expect(readable > count / 5, "too few of the random filters can be read")
  }

  @Test func `a store that supports part of each query gives the same answers`() async throws {
    try await PredicateTrial.check(seeds: 10) { try await $0.runParts() }
    try await PagingTrial.check(seeds: 10) { samples in
      let code = samples.first.flatMap { try? JSONEncoder().encode($0) }
      let salt = SplitMix64.subseed(UInt64(samples.count), of: UInt64(code?.count ?? 0))
      return try GraphCache(
        for: Sample.self, Sample.Owner.self, store: PartialStore(MemoryStore(samples), salt: salt),
        capacity: 10)
    }
  }

  @Test(arguments: StoreConformance.Check.allCases)
  func `a store that supports part of each filter conforms`(to check: StoreConformance.Check)
    async throws
  {
    for salt: UInt64 in try Effort().some(of: [1, 2, 3]) {
      try await StoreConformance { contents in
        let store = MemoryStore()
        try await store.apply(contents.insertions)
        return PartialStore(store, salt: salt)
      }.run(check)
    }
  }

  struct LookupStore: ForwardingStore {
    let base: any BackingStore

    func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> { .onlyByIDs }
  }

  @Test func `a store that finds records only by ids refuses queries`() async throws {
    let store = LookupStore(base: MemoryStore(FilterTests.tracks))
    let cache = try GraphCache(for: Track.self, store: store)
    #expect(try await cache.find(Ref<Track>(7))?.seconds == 49)
    await #expect {
      try await cache.find(RecordQuery<Track>().limited(to: 3))
    } throws: { error in
      "\(error)".contains("LookupStore does not support a query for Track")
    }
    await #expect(throws: KinshipError.self) {
      try await cache.find(RecordQuery<Track>(#Predicate { $0.seconds > 50 }).count)
    }
  }

  @Test func `a predicate is readable as properties, relations and values`() {
    let filter = RecordFilter<Track>(
      #Predicate { $0.seconds > 50 && !($0.genre == "rock" || $0.name.starts(with: "T")) })
    #expect(
      "\(filter.condition)"
        == #"(seconds > 50 && !((genre == "rock" || name hasPrefix "T")))"#)
    #expect(filter.condition.properties.map(\.name) == ["seconds", "genre", "name"])
    guard case .and(.compare(let property, .greater, let value), .not(.or)) = filter.condition
    else {
      Issue.record("\(filter.condition)")
      return
    }
    #expect(property.name == "seconds" && property.keyPath as AnyKeyPath == \Track.seconds)
    #expect(value as? Int == 50)
    let coalesced = RecordFilter<FilterTests.Track>(#Predicate { ($0.genre ?? "rock") == "rock" })
    #expect(!coalesced.condition.isReadable)
    #expect(!RecordFilter<Track> { $0.seconds > 50 }.condition.isReadable)
  }

  struct Coded: GraphRecord, Codable {
    enum Kind: String, Codable, CaseIterable { case plain, odd }
    /// A type that contains itself.
    struct Note: Codable { var notes: [Note] }
    enum CodingKeys: String, CodingKey {
      case id, seconds, kind, notes
      case name = "full_name"
      case year = "release_year"
      case genre = "genre_id"
      case fans = "fan_ids"
      case date = "created_at"
      case token = "uuid"
    }

    let id: String
    var name: String
    var seconds: Int8
    var year: Int?
    var genre: Ref<Coded>?
    var fans: [Ref<Coded>]
    var kind: Kind
    var date: Date
    var token: UUID
    var notes: Note
    var length: Int { name.count }
  }

  @Test func `a property has its coding key`() {
    func key<Value>(_ path: any KeyPath<Coded, Value> & Sendable) -> String? {
      FilterCondition.Property(path).codingKey
    }
    #expect(key(\.id) == "id")
    #expect(key(\.name) == "full_name")
    #expect(key(\.seconds) == "seconds")
    #expect(key(\.year) == "release_year")
    #expect(key(\.genre) == "genre_id")
    #expect(key(\.fans) == "fan_ids")
    #expect(key(\.kind) == "kind")
    #expect(key(\.date) == "created_at")
    #expect(key(\.token) == "uuid")
    // The key of a computed property is that of the property it depends on.
    #expect(key(\.length) == "full_name")
    let byYear = RecordQuery<Coded>().sorted(by: \.year)
    #expect(byYear.order.map(\.codingKey) == ["release_year", "id"])
    // A type that is not Codable has none.
    #expect(RecordQuery<DocumentationExamples.Image>().sorted(by: \.id).order[0].codingKey == nil)
  }

  @Test func `a store gets the strictest part that it supports`() throws {
    let long = RecordFilter<Track>(#Predicate { $0.seconds > 50 })
    let rock = RecordFilter<Track>(#Predicate { $0.genre == "rock" })
    let odd = RecordFilter<Track> { $0.id % 2 == 1 }
    func part(_ filter: RecordFilter<Track>, _ names: String...) -> String {
      "\(filter.part { $0.properties.allSatisfy { names.contains($0.name) } }.condition)"
    }
    #expect(part(long && odd, "seconds") == "seconds > 50")
    #expect(part(long && rock, "genre") == #"genre == "rock""#)
    #expect(part(long || rock, "genre") == "true")
    #expect(part(long || odd, "seconds") == "true")
    #expect(part(!(long || odd), "seconds") == "!(seconds > 50)")
    #expect(part(!(long && odd), "seconds") == "true")
    let either = (long || rock) && (rock || odd)
    #expect(part(either, "seconds", "genre") == "\((long || rock).condition)")
    #expect(part(odd, "seconds") == "true")
  }

  @Test func `conditions on related records are readable`() throws {
    let theirs = RecordQuery<TestPlace>(#Predicate { $0.name == "Rosenau" })
    let filter = RecordFilter<TestEvent>.where(\.place, in: theirs)
    guard case .related(let related) = filter.condition else {
      Issue.record("\(filter.condition)")
      return
    }
    #expect(related.property.name == "place" && !related.isReferredTo)
    #expect(related.recordType is TestPlace.Type)
    #expect("\(related.condition)" == #"name == "Rosenau""#)
    #expect(!filter.condition.isReadable)
  }

  @Test func `a query knows the values after which it begins`() throws {
    let query = RecordQuery<Track>().sorted(by: \.genre, .descending, nils: .first)
    let start = SortPosition(of: FilterTests.tracks[1], in: query.order)
    let rest = query.following(start)
    #expect(rest.order.map(\.name) == ["genre", "id"])
    #expect(rest.order.map(\.direction) == [.descending, .ascending])
    #expect(rest.order[0].nils == .first)
    #expect(rest.start?.values.map { $0.map { "\($0)" } } == ["rock", "1"])
    #expect(rest.start?.isBefore(FilterTests.tracks[1]) == false)
    #expect(rest.start?.isBefore(FilterTests.tracks[4]) == true)
    let answer = try rest.answer(from: FilterTests.tracks)
    let all = try query.answer(from: FilterTests.tracks)
    #expect(answer == Array(all.drop { $0.id != 1 }.dropFirst()))
    // In another order it is not a position, but the same records match.
    let reversed = rest.reversed
    #expect(reversed.start == nil)
    #expect(try reversed.answer(from: FilterTests.tracks) == answer.reversed())
  }
}
