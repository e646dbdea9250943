import Foundation
import KinshipTesting
import KinshipTestSupport
import KinshipTestTraits
import KinshipTrials
import Testing

@testable import Kinship
@testable import KinshipFileStore

/// Aggregates of a query's answer equal those of an array, whichever part computes them.
@Suite(.dedicatedThreads, .tags(.lawQ1)) struct QuestionTests {
  private static func schema() throws -> GraphSchema {
    try GraphSchema(types: [Sample.self, Sample.Owner.self])
  }

  @Test func `a cache aggregates its records as an array does`() async throws {
    try await QuestionTrial.check(seeds: 10) { trial in
      try await trial.run(isStored: false) { samples in
        let cache = GraphCache(schema: try Self.schema())
        try await cache.put(contentsOf: samples)
        return cache
      }
    }
  }

  /// A store without filters and aggregates.
  struct PlainStore: BackingStore {
    let base: MemoryStore

    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      try await base.fetch(type, ids: ids)
    }

    func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      try verify(query.filter.isAll, "a filter was asked for")
      return try await base.fetch(query)
    }

    func apply(_ changes: ChangeSet) async throws { try await base.apply(changes) }

    func referrers<Source: GraphRecord, Target: GraphRecord>(
      to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
    ) async throws -> [Source] {
      try await base.referrers(to: targets, by: relationship)
    }
  }

  struct PassingStore: ForwardingStore {
    let base: any BackingStore
  }

  @Test func `every store aggregates its records as an array does`() async throws {
    try await QuestionTrial.check(seeds: 5) { trial in
      try await trial.run {
        GraphCache(schema: try Self.schema(), store: MemoryStore($0))
      }
      try await trial.run {
        GraphCache(schema: try Self.schema(), store: PassingStore(base: MemoryStore($0)))
      }
    }
  }

  @Test func `the cache aggregates if the store cannot`() async throws {
    try await QuestionTrial.check(seeds: 3) { trial in
      try await trial.run {
        GraphCache(schema: try Self.schema(), store: PlainStore(base: MemoryStore($0)))
      }
    }
  }

  @Test func `a file store aggregates its records as an array does`() async throws {
    try await QuestionTrial.check(seeds: 1) { trial in
      try await trial.run { samples in
        let store = try await FileStore(
          in: SimulatedDisk(), at: "/store", schema: try Self.schema())
        try await store.apply(ChangeSet(inserting: samples))
        return GraphCache(schema: try Self.schema(), store: store)
      }
    }
  }

  /// Sums of small integers are exact in a `Double`, and so its division is rounded once.
  @Test func `averages are rounded once`() throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<10_000 {
      func number() -> Int {
        Int.random(in: 1...(1 << Int.random(in: 1...53, using: &random)), using: &random)
      }
      let (sum, count) = (number(), number())
      let positive = try #require(IntegerSum(count == 1 ? [sum: 1] : [sum: 1, 0: count - 1]))
      #expect(positive.average == Double(sum) / Double(count))
      let negative = try #require(IntegerSum(count == 1 ? [-sum: 1] : [-sum: 1, 0: count - 1]))
      #expect(negative.average == -Double(sum) / Double(count))
    }
    // Half-way between two numbers, and a little above.
    let half = (1 << 53) + 1
    #expect(IntegerSum([half: 1 << 62])?.average == 0x1p53)
    #expect(IntegerSum([half: (1 << 62) - 1, half + 1: 1])?.average == 0x1p53 + 2)
    #expect(IntegerSum([Int.max: .max, Int.max - 1: .max]) == nil)
    #expect(IntegerSum([UInt64.max: Int.max])?.average == Double(UInt64.max))
    #expect(IntegerSum([Int.min: 3, 1: 1])?.value(as: Int.self) == nil)
    #expect(IntegerSum([Int.min: 1, Int.max: 1])?.value(as: Int.self) == -1)
    #expect(IntegerSum([Int: Int]())?.average == nil)
    #expect(IntegerSum([Int128.max: 2]) == nil)
  }

  typealias Track = FilterTests.Track

  @Test func `a failed aggregation throws its cause`() async throws {
    struct Failure: Error {}
    struct FailingStore: BackingStore {
      func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] { [] }
      func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] { throw Failure() }
    }
    let cache = try GraphCache(for: Track.self, store: FailingStore())
    let query = RecordQuery(FilterTests.long)
    let questions: [@Sendable (GraphCache) async throws -> Void] = [
      { _ = try await $0.find(query.first) }, { _ = try await $0.find(query.exists) },
      { _ = try await $0.find(query.refs) },
      { _ = try await $0.find(query.grouped(by: \.genre).count) },
      { _ = try await $0.find(query.values(of: \.genre)) },
      { _ = try await $0.find(query.minimum(of: \.seconds)) },
      { _ = try await $0.find(query.maximum(of: \.genre)) },
      { _ = try await $0.find(query.sum(of: \.seconds)) },
      { _ = try await $0.find(query.average(of: \.seconds)) },
    ]
    for ask in questions {
      await #expect {
        try await ask(cache)
      } throws: { error in
        guard case KinshipError.fetchFailed("Track", [], let cause) = error else { return false }
        return cause is Failure
      }
      let other = try GraphCache(for: TestPlace.self, store: FailingStore())
      await #expect {
        try await ask(other)
      } throws: { error in
        guard case KinshipError.invalidSchema(.unknownType("Track")) = error else { return false }
        return true
      }
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await ask(cache)
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test(arguments: [true, false])
  func `an aggregate over a failing filter is an error`(isStored: Bool) async throws {
    let records = [Track(id: 1, name: "", seconds: .max, genre: nil)]
    let cache = try GraphCache(for: Track.self, store: isStored ? MemoryStore(records) : nil)
    if !isStored { try await cache.put(contentsOf: records) }
    let query = RecordQuery<Track>(#Predicate { $0.seconds + 1 > 3 })
    let isFailure: (any Error) -> Bool = { error in
      guard case KinshipError.filterFailed(let ref, _) = error else { return false }
      return ref == AnyRef(Ref<Track>(1))
    }
    await #expect { _ = try await cache.find(query.refs) } throws: { isFailure($0) }
    await #expect {
      _ = try await cache.find(query.grouped(by: \.name).count)
    } throws: {
      isFailure($0)
    }
    await #expect { _ = try await cache.find(query.minimum(of: \.id)) } throws: { isFailure($0) }
  }

  /// A sum beyond its type is an error that names the property.
  @Test func `an overflowing sum is an error that names its property`() async throws {
    let cache = try GraphCache(for: Track.self)
    try await cache.put(
      contentsOf: [1, 2].map { Track(id: $0, name: "", seconds: .max, genre: nil) })
    let error = await #expect(throws: KinshipError.self) {
      try await cache.find(RecordQuery<Track>().sum(of: \Track.seconds))
    }
    #expect(
      error?.description.hasPrefix("The integers of Track.seconds add up to more ") == true)
    #expect(
      try await cache.find(RecordQuery<Track>().average(of: \Track.seconds)) == Double(Int.max))
  }

  /// A store that answers something else than the query.
  struct RepeatingStore: BackingStore {
    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] { [] }

    func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
      (1 as? R.ID).map { [Ref($0), Ref($0)] } ?? []
    }
  }

  @Test func `wrong refs from a store are rejected`() async throws {
    let cache = try GraphCache(for: Track.self, store: RepeatingStore())
    for query in [RecordQuery<Track>(), RecordQuery().limited(to: 1)] {
      await #expect {
        _ = try await cache.find(query.refs)
      } throws: { error in
        guard case KinshipError.unexpectedRecord(AnyRef(Ref<Track>(1))) = error else {
          return false
        }
        return true
      }
    }
  }

  /// A property's code runs while the cache is unlocked.
  @Test func `a property may use the cache`() async throws {
    let cache = try GraphCache(for: Reader.self)
    try await cache.put(contentsOf: (1...9).map { Reader(id: $0, cache: cache) })
    #expect(try await cache.find(RecordQuery<Reader>().grouped(by: \.known).count) == [9: 9])
    #expect(
      try await cache.find(RecordQuery<Reader>().maximum(of: \Reader.key))
        == Reader.Key(cache: cache, number: 9))
  }

  struct Reader: GraphRecord {
    /// A key that reads the cache when it is hashed and compared.
    struct Key: Comparable, Hashable {
      weak let cache: GraphCache?
      let number: Int

      static func == (left: Key, right: Key) -> Bool {
        left.cache?.count == right.cache?.count && left.number == right.number
      }
      static func < (left: Key, right: Key) -> Bool {
        (left.cache?.count ?? 0) > 0 && left.number < right.number
      }
      func hash(into hasher: inout Hasher) {
        hasher.combine(cache?.count)
        hasher.combine(number)
      }
    }

    let id: Int
    let key: Key

    init(id: Int, cache: GraphCache) {
      self.id = id
      key = Key(cache: cache, number: id)
    }

    var known: Int { key.cache?.count ?? 0 }
  }
}
