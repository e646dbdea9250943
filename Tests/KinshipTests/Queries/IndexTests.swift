import Foundation
import KinshipTesting
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import KinshipTrials
import Testing

@testable import Kinship

/// Laws Q5 and Q6: indexes always agree with the records, and the explanation of a query is true.
@Suite(.serialized, .tags(.lawQ5, .lawQ6)) struct IndexTests {
  struct Song: GraphRecord, Codable, Equatable {
    let id: Int
    var name: String
    var seconds: Int
    var genre: Ref<Genre>?
    var code: String?

    static let relationships: Relationships<Song> = [.toOne(\.genre)]
    static let indexes: RecordIndexes<Song> = [
      .hashed(\.genre), .ordered(\.genre, \.name), .ordered(\.seconds), .unique(\.code),
      .unique(\.name, \.seconds),
    ]
  }

  struct Genre: GraphRecord, Codable, Equatable {
    let id: Int
  }

  static let songs = (0..<1_000).map { number in
    Song(
      id: number, name: "N\((number * 7) % 1_000)", seconds: (number * 13) % 500,
      genre: number % 10 == 0 ? nil : Ref(number % 10), code: number % 3 == 0 ? nil : "C\(number)")
  }

  enum Place: CaseIterable { case cache, memory, files }

  /// A cache of songs, without a store or over one.
  static func makeCache(_ place: Place, _ songs: [Song] = songs) async throws -> GraphCache {
    switch place {
    case .cache:
      let cache = try GraphCache(for: Song.self, Genre.self)
      try await cache.put(contentsOf: songs)
      return cache
    case .memory: return try GraphCache(for: Song.self, Genre.self, store: MemoryStore(songs))
    case .files:
      let store = try await FileStore(
        in: SimulatedDisk(), at: "/songs", schema: GraphSchema(Song.self, Genre.self))
      try await store.apply(ChangeSet(inserting: songs))
      return try GraphCache(for: Song.self, Genre.self, store: store)
    }
  }

  /// The queries, the index that answers each, and the number of records looked at.
  static let questions: [(RecordQuery<Song>, index: [String], lookedAt: Int)] = {
    let genre: Ref<Genre> = 3
    let nobody: Ref<Genre> = 77
    return [
      (RecordQuery(#Predicate { $0.genre == genre }), ["genre"], 100),
      (RecordQuery(#Predicate { $0.genre == nobody }), ["genre"], 0),
      (RecordQuery(#Predicate { $0.genre == nil }), ["genre"], 100),
      (RecordQuery(#Predicate { $0.code == "C7" }), ["code"], 1),
      (RecordQuery(#Predicate { $0.seconds >= 490 }), ["seconds"], 20),
      (RecordQuery(#Predicate { $0.seconds > 490 && $0.seconds < 493 }), ["seconds"], 4),
      (RecordQuery(#Predicate { (10...11).contains($0.seconds) }), ["seconds"], 4),
      (RecordQuery(#Predicate { [3, 5, 3].contains($0.seconds) }), ["seconds"], 4),
      (
        RecordQuery(#Predicate { $0.genre == genre }).sorted(by: \.name).limited(to: 5),
        ["genre", "name"], 5
      ),
      (
        RecordQuery(#Predicate { $0.genre == genre && $0.name.starts(with: "N99") }),
        ["genre", "name"], 1
      ),
      (RecordQuery().sorted(by: \.seconds, .descending).limited(to: 7), ["seconds"], 7),
      (RecordQuery().sorted(by: \.seconds).skipping(10).limited(to: 7), ["seconds"], 17),
      // Four times as many whenever there were not enough.
      (
        RecordQuery(RecordFilter { $0.id % 10 == 0 }).sorted(by: \.seconds).limited(to: 7),
        ["seconds"], 112
      ),
      (RecordQuery(#Predicate { $0.name == "N7" && $0.seconds == 13 }), ["name", "seconds"], 1),
      (RecordQuery(#Predicate { $0.name == "N7" }), [], 1_000),
      (RecordQuery(RecordFilter { $0.seconds == 3 }), [], 1_000),
    ]
  }()

  @Test(arguments: Place.allCases)
  func `an index answers queries and the explanation says so`(place: Place) async throws {
    let cache = try await Self.makeCache(place)
    for (query, index, lookedAt) in Self.questions {
      for asked in [query, query.reversed] where asked.order.isEmpty == query.order.isEmpty {
        let answer = try asked.answer(from: Self.songs)
        let explanation = try await cache.explain(asked)
        #expect(explanation.index == index, "\(explanation)")
        #expect(explanation.recordsLookedAt == lookedAt, "\(explanation)")
        #expect(explanation.recordsFound == answer.count)
        #expect(explanation.source == (place == .cache ? .memory : .store))
        #expect(explanation.storeCalls == (place == .cache ? 0 : 1))
        #expect(explanation.isFilteredByStore == (place != .cache))
        let found = try await cache.find(asked)
        #expect(asked.order.isEmpty ? found.count == answer.count : found == answer)
        #expect(Set(found.map(\.id)) == Set(answer.map(\.id)))
        #expect(try await cache.find(asked.count) == answer.count)
      }
    }
    #expect(try await cache.find(RecordQuery<Song>().minimum(of: \Song.seconds)) == 0)
    #expect(try await cache.find(RecordQuery<Song>().maximum(of: \Song.seconds)) == 499)
    #expect(try await cache.find(RecordQuery<Song>().minimum(of: \Song.code)) == "C1")
    let later = RecordQuery<Song>(#Predicate { $0.seconds > 490 })
    #expect(try await cache.find(later.minimum(of: \.seconds)) == 491)
    #expect(await cache.audit() == [])
  }

  /// Memory answers without a call if it has all matching records.
  @Test func `memory answers a query if it has all matching records`() async throws {
    let cache = try await Self.makeCache(.memory)
    let rock: Ref<Genre> = 3
    let query = RecordQuery<Song>(#Predicate { $0.genre == rock }).sorted(by: \.name)
    #expect(try await cache.explain(query).source == .store)
    _ = try await cache.find(RecordQuery<Song>())
    let whole = try await cache.explain(query)
    #expect(whole.source == .memory && whole.storeCalls == 0 && whole.recordsLookedAt == 100)
    #expect(try await cache.find(query) == query.answer(from: Self.songs))
    // Memory knows the writes of transactions.
    try await cache.write { try $0.update(Ref<Song>(3), \.name, to: "A") }
    #expect(try await cache.explain(query).source == .memory)
    #expect(try await cache.find(query.first)?.id == 3)
    // Memory lacks evicted records.
    _ = await cache.evict(Ref<Song>(4))
    #expect(try await cache.explain(query).source == .store)
    _ = try await cache.find(RecordQuery<Song>())
    #expect(try await cache.explain(query).source == .memory)
    await cache.invalidate(Ref<Song>(5))
    #expect(try await cache.explain(query).source == .store)
    // The store may not know a record that was put into memory alone.
    try await cache.put(Self.songs[0])
    _ = try await cache.find(RecordQuery<Song>())
    #expect(try await cache.explain(query).source == .store)
  }

  @Test(arguments: Place.allCases)
  func `a violation of a unique index changes nothing`(place: Place) async throws {
    let cache = try await Self.makeCache(place)
    func expectRefusal(
      _ property: String, _ value: String, _ body: @Sendable () async throws -> Void
    ) async throws {
      do {
        try await body()
        Issue.record("\(property) was not refused")
      } catch KinshipError.notUnique(let ref, let other, property, value) {
        #expect(ref != other)
      }
      let all = try await cache.find(RecordQuery<Song>().sorted(by: \.id))
      #expect(all == Self.songs)
      #expect(await cache.audit() == [])
    }
    try await expectRefusal("code", "C7") {
      try await cache.write { try $0.update(Ref<Song>(8), \.code, to: "C7") }
    }
    try await expectRefusal("name, seconds", "N7, 13") {
      try await cache.write { tx in
        try tx.insert(Song(id: -1, name: "N7", seconds: 13, genre: nil, code: nil))
      }
    }
    try await expectRefusal("code", "new") {
      try await cache.write { tx in
        for id in 1...2 { try tx.update(Ref<Song>(id), \.code, to: "new") }
      }
    }
    if place == .cache {
      try await expectRefusal("code", "C7") {
        try await cache.update(Ref<Song>(8), \.code, to: "C7")
      }
      try await expectRefusal("code", "C7") {
        try await cache.put(Song(id: -1, name: "", seconds: 0, genre: nil, code: "C7"))
      }
    }
    // Two records may swap values, and records without a value may share that.
    try await cache.write { tx in
      try tx.update(Ref<Song>(7), \.code, to: "C8")
      try tx.update(Ref<Song>(8), \.code, to: "C7")
      try tx.update(Ref<Song>(10), \.code, to: nil)
      try tx.delete(Ref<Song>(11))
      try tx.update(Ref<Song>(13), \.code, to: "C11")
    }
    #expect(
      try await cache.find((RecordQuery<Song>(#Predicate { $0.code == "C7" })).first)?.id == 8)
    #expect(await cache.audit() == [])
  }

  /// A file store whose records violate a newer index names them when it is opened.
  @Test func `opening a store names the records that violate a new index`() async throws {
    struct Before: GraphRecord, Codable {
      let id: Int
      var code: String?
      static var recordName: String { "Song" }
    }
    struct After: GraphRecord, Codable {
      let id: Int
      var code: String?
      static var recordName: String { "Song" }
      static let indexes: RecordIndexes<After> = [.unique(\.code)]
    }
    let files = SimulatedDisk()
    let store = try await FileStore(in: files, at: "/songs", schema: GraphSchema(Before.self))
    let songs = [Before(id: 1, code: "a"), Before(id: 2, code: nil), Before(id: 3, code: "a")]
    try await store.apply(ChangeSet(inserting: songs))
    try await store.close()
    do {
      _ = try await FileStore(in: files, at: "/songs", schema: GraphSchema(After.self))
      Issue.record("it was opened")
    } catch KinshipError.notUnique(let ref, let other, let property, let value) {
      #expect(Set([ref, other]) == [AnyRef(Ref<After>(1)), AnyRef(Ref<After>(3))])
      #expect(property == "code" && value == "a")
    }
    // Nothing is lost, and the directory is not locked.
    let again = try await FileStore(in: files, at: "/songs", schema: GraphSchema(Before.self))
    #expect(try await again.count(RecordQuery<Before>()) == 3)
  }

  /// While an index is being built, records are inserted, changed and removed.
  @Test func `an index includes changes made while it is built`() throws {
    try Schedule.explore(seeds: 100) { schedule in
      let cache = try GraphCache(for: Song.self, Genre.self, executor: schedule.executor)
      try await cache.put(contentsOf: Array(Self.songs.prefix(100)))
      let query = RecordQuery<Song>().sorted(by: \.seconds).limited(to: 20)
      async let first = cache.find(query)
      for number in 0..<5 {
        try await cache.put(Self.songs[100 + number])
        await cache.remove(Ref<Song>(number))
        try await cache.write { try $0.update(Ref<Song>(50 + number), \.seconds, to: -number) }
      }
      _ = try await first
      try verifyEqual(await cache.audit(), [], "the audit")
      let all = try await cache.find(RecordQuery<Song>())
      try verifyEqual(try await cache.find(query), try query.answer(from: all), "the answer")
      try verifyEqual(try await cache.explain(query).recordsLookedAt, 20, "by the index")
    }
  }

  /// A record that runs a closure when its key is read.
  struct Lively: GraphRecord {
    let id: Int
    let onReading: @Sendable () -> Void

    var number: Int {
      onReading()
      return id
    }

    static let indexes: RecordIndexes<Lively> = [.ordered(\.number)]
  }

  /// While the keys of an index are read, records leave memory.
  @Test func `an index leaves out records evicted while it is built`() async throws {
    let lease = Lock<GraphCache.Lease?>(nil)
    let cache = try GraphCache(for: Lively.self, capacity: 10)
    let isReading = Lock(false)
    let records = (0..<30).map { number in
      Lively(id: number) {
        let ending = isReading.withLock { $0 } ? lease.withLock { $0.take() } : nil
        ending?.end()
      }
    }
    lease.withLock { $0 = cache.lease(records.map(\.ref)) }
    try await cache.put(contentsOf: records)
    #expect(cache.count == 30)
    isReading.withLock { $0 = true }
    let found = try await cache.find(RecordQuery<Lively>().sorted(by: \.number))
    #expect(cache.count == 10)
    #expect(
      Set(found.map(\.id)) == Set(await cache.coldest(30).compactMap { $0.as(Lively.self)?.id }))
    #expect(await cache.audit() == [])
  }

  /// A record whose indexed value may be missing.
  struct Sparse: GraphRecord, Codable, Equatable {
    let id: Int
    var value: Int?

    static let indexes: RecordIndexes<Sparse> = [.ordered(\.value), .hashed(\.value)]
  }

  /// An index finds the values that a predicate puts in place of missing ones.
  @Test(arguments: Place.allCases)
  func `an index finds records without a value`(place: Place) async throws {
    // Many that do not match, so that an index is better than a search of all records.
    let records = (0..<400).map { number in
      Sparse(id: number, value: number < 4 ? nil : number < 20 ? number % 5 : 9)
    }
    let store: (any BackingStore)? =
      switch place {
      case .cache: nil
      case .memory: MemoryStore(records)
      case .files:
        try await FileStore(in: SimulatedDisk(), at: "/sparse", schema: GraphSchema(Sparse.self))
      }
    if let files = store as? FileStore { try await files.apply(ChangeSet(inserting: records)) }
    let cache = try GraphCache(for: Sparse.self, store: store)
    if place == .cache { try await cache.put(contentsOf: records) }
    var served = 0
    for substitute in 0..<5 {
      for value in 0..<5 {
        let predicates = [
          #Predicate<Sparse> { ($0.value ?? substitute) > value && ($0.value ?? 0) < 9 },
          #Predicate<Sparse> { ($0.value ?? substitute) >= value && ($0.value ?? 0) < 9 },
          #Predicate<Sparse> { ($0.value ?? substitute) < value },
          #Predicate<Sparse> { ($0.value ?? substitute) <= value },
          #Predicate<Sparse> { ($0.value ?? substitute) == value },
        ]
        let tests: [(Int, Int?) -> Bool] = [
          { $0 > value && $1 ?? 0 < 9 }, { $0 >= value && $1 ?? 0 < 9 }, { n, _ in n < value },
          { n, _ in n <= value }, { n, _ in n == value },
        ]
        for (predicate, test) in zip(predicates, tests) {
          let query = RecordQuery(predicate)
          let expected = records.filter { test($0.value ?? substitute, $0.value) }
          let found = try await cache.find(query)
          #expect(Set(found.map(\.id)) == Set(expected.map(\.id)), "\(predicate)")
          if try await !cache.explain(query).index.isEmpty { served += 1 }
        }
      }
    }
    // The place of records without a value, in the index and elsewhere, with many at a time.
    for direction in SortTerm<Sparse>.Direction.allCases {
      for nils in SortTerm<Sparse>.Nils.allCases {
        let query = RecordQuery<Sparse>().sorted(by: \.value, direction, nils: nils)
          .limited(to: 300)
        #expect(try await cache.find(query) == query.answer(from: records))
      }
    }
    // All but the equalities, which no index answers.
    #expect(served == 100)
  }

  @Test func `an index includes updates made while it is built`() {
    let indexes = MemoryIndexes<Song>(Song.indexes, isReady: false)
    let songs = (0..<3).map { Song(id: 1, name: "A", seconds: $0, genre: nil, code: nil) }
    indexes.update(from: songs[0], to: songs[1])
    #expect(indexes.endCopying() == [1])
    let made = IndexedIDs(Song.indexes, of: [songs[1]])
    indexes.update(from: songs[1], to: songs[2])
    indexes.finish(made)
    #expect(indexes.ids?.audit([songs[2]]) == [])
  }

  /// The same text in other bytes has the same place in an index, and is found differently.
  @Test func `equal texts with other bytes share a place in an index`() async throws {
    let cache = try await Self.makeCache(.cache, [])
    for name in ["\u{E9}", "e\u{301}", "e\u{301}", "\u{E9}"] {
      try await cache.put(Song(id: 1, name: name, seconds: 1, genre: nil, code: nil))
      #expect(await cache.audit() == [])
    }
  }

  private struct Sample: GraphRecord {
    let id: Int
    var number: Double?
    var text: String

    static let indexes: RecordIndexes<Sample> = [
      .ordered(\.number), .hashed(\.text), .ordered(\.text, \.number),
    ]
  }

  /// Each condition, and each two, over values that are equal to others and differ in their bytes,
  /// over NaN and `nil`.
  @Test(arguments: ["plain", "not a number", "two spellings"])
  private func `an index counts what a filter selects, or leaves it to a scan`(values: String)
    throws
  {
    var numbers: [Double?] = [nil, -0.0, 0, 1, 2, 3]
    var texts = ["", "a", "\u{E9}", "f"]
    if values == "not a number" { numbers.append(.nan) }
    if values == "two spellings" { texts.append("e\u{301}") }
    var records: [Sample] = []
    for number in numbers {
      for text in texts {
        records += (0..<2).map { Sample(id: records.count + $0, number: number, text: text) }
      }
    }
    let accented = "\u{E9}"
    let two = 2.0
    var filters: [RecordFilter<Sample>] = [RecordFilter { $0.text == "a" }]
    func add(_ predicate: Predicate<Sample>) { filters.append(RecordFilter(predicate)) }
    add(#Predicate { $0.number == two })
    add(#Predicate { $0.number == nil })
    add(#Predicate { $0.number != nil })
    add(#Predicate { ($0.number ?? 5) < two })
    add(#Predicate { ($0.number ?? -5) < two })
    add(#Predicate { ($0.number ?? -5) >= two })
    add(#Predicate { ($0.number ?? -5) > two })
    let noNumber = Double.nan
    add(#Predicate { $0.number == noNumber })
    add(#Predicate { ($0.number ?? 0) > noNumber })
    add(#Predicate { ($0.number ?? 0) <= noNumber })
    add(#Predicate { [1, 2, 1].contains($0.number) })
    add(#Predicate { $0.text == accented })
    add(#Predicate { $0.text < accented })
    add(#Predicate { $0.text > "" })
    add(#Predicate { $0.text.starts(with: "a") })
    let ids = IndexedIDs(Sample.indexes, of: records)
    var known = 0
    for filter in filters + filters.flatMap({ one in filters.map { one && $0 } }) {
      let query = RecordQuery(filter)
      guard let count = query.count(in: ids) else { continue }
      known += 1
      #expect(try filter.matching(in: records).count == count, "\(filter.condition)")
      #expect(query.skipping(1).limited(to: 3).count(in: ids) == min(max(count - 1, 0), 3))
    }
    print("Counted by an index, \(values): \(known)")
    #expect(known >= 10)
  }

  /// Pages continue within an index, forwards and backwards, even between equal records.
  @Test(arguments: Place.allCases)
  func `pages continue within an index`(place: Place) async throws {
    let cache = try await Self.makeCache(place)
    let all = RecordQuery<Song>(#Predicate { $0.seconds >= 400 })
    for query in [all.sorted(by: \.seconds), all.sorted(by: \.seconds, .descending)] {
      let expected = try query.sorted(by: \.id).answer(from: Self.songs)
      var page = try await cache.page(query, size: 7)
      var found = page.records
      while page.hasMore {
        page = try await cache.page(query, size: 7, after: page.end)
        found += page.records
      }
      #expect(found == expected)
      page = try await cache.page(query, size: 7, before: nil)
      found = page.records
      while page.hasMore {
        page = try await cache.page(query, size: 7, before: page.start)
        found = page.records + found
      }
      #expect(found == expected)
    }
  }
}
