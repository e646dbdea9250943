package import Kinship
import KinshipTesting
import KinshipTestSupport

/// A query across relationships, and all aggregates of its answer: without concurrent writes, from
/// memory alone, and while writes are pending.
struct RelatedTrial<R: Ranked>: Command, CustomStringConvertible {
  private let testQuery: TestQuery<R>
  private let seed: UInt64
  private let count: Int

  private init(_ testQuery: TestQuery<R>, seed: UInt64, count: Int) {
    (self.testQuery, self.seed, self.count) = (testQuery, seed, count)
  }

  init(_ condition: TestCondition<R>, using random: inout SplitMix64) {
    testQuery = TestQuery(condition, using: &random)
    seed = random.next()
    count = [0, 1, 4, 12][Int.random(in: 0..<4, using: &random)]
  }

  var shrunk: [RelatedTrial] {
    [0, 1, count / 2, count - 1].filter { 0..<count ~= $0 }
      .map { RelatedTrial(testQuery, seed: seed, count: $0) }
      + testQuery.simpler.map { RelatedTrial($0, seed: seed, count: count) }
  }

  var description: String { "\(testQuery) of \(count) records by the seed \(seed)" }

  /// Compares a cache's answer with that of a plain array.
  ///
  /// - Parameter makeStore: Creates a store with these records; `nil` for a cache without one.
  /// - Throws: `Mismatch` where it is something else, and what the cache throws.
  func run(
    _ makeStore: ((ClubModel) async throws -> any BackingStore)?
  ) async throws {
    var random = SplitMix64(seed: seed)
    var clubModel = ClubModel(count: count, using: &random)
    guard let makeStore else {
      let cache = try GraphCache(for: Member.self, Club.self)
      try await cache.put(contentsOf: Array(clubModel.members.values))
      try await cache.put(contentsOf: Array(clubModel.clubs.values))
      return try await ask(cache, clubModel)
    }
    // The store applies no change before the gate opens, or refuses all.
    let (gate, refusal) = (Gate(), Gate())
    let held = StoreBehavior(
      pause: .gate(gate), action: { if refusal.isOpen { throw ScriptedFailure() } })
    let store = ScriptedStore(
      over: try await makeStore(clubModel),
      script: .plain.onCalls(where: { $0.kind == .apply }, held)
    )
    let cache = try GraphCache(for: Member.self, Club.self, store: store)
    let known = try await load(clubModel, into: cache, using: &random)
    try await ask(cache, known, from: .cachedOnly)
    try await ask(cache, clubModel)
    await cache.removeAll()
    let before = clubModel
    let write = try await writeOptimistically(&clubModel, cache, using: &random)
    try await ask(cache, clubModel)
    let refuses = Bool.random(using: &random)
    if refuses { clubModel = before }
    if refuses { refusal.open() }
    gate.open()
    do { try await write.outcome() } catch  where refuses {}
    try await ask(cache, clubModel)
  }

  /// Loads some records into memory.
  private func load(
    _ clubModel: ClubModel, into cache: GraphCache, using random: inout SplitMix64
  ) async throws -> ClubModel {
    var known = ClubModel()
    for (id, member) in clubModel.members where Bool.random(using: &random) {
      known.members[id] = member
    }
    for (id, club) in clubModel.clubs where Bool.random(using: &random) { known.clubs[id] = club }
    _ = try await cache.find(known.members.keys.map { Ref<Member>($0) })
    _ = try await cache.find(known.clubs.keys.map { Ref<Club>($0) })
    return known
  }

  /// Optimistic writes of both types.
  private func writeOptimistically(
    _ clubModel: inout ClubModel, _ cache: GraphCache, using random: inout SplitMix64
  ) async throws -> GraphCache.PendingWrite {
    var changes: [ClubModel.Change] = []
    for _ in 0..<4 { changes.append(.random(using: &random)) }
    for change in changes { clubModel.make(change) }
    return try await cache.writeOptimistically { [changes] tx in
      for change in changes { try change.make(in: &tx) }
    }
  }

  private func ask(
    _ cache: GraphCache, _ clubModel: ClubModel, from source: QuerySource = .dataLayer
  ) async throws {
    let (query, answer) = (testQuery.query, testQuery.answer(clubModel))
    func inOrder(_ records: [R]) -> [R] {
      query.order.isEmpty ? records.sorted { $0.id < $1.id } : records
    }
    let found = try await cache.find(query, ReadOptions(source: source))
    try verifyEqual(inOrder(found), answer, "the answer")
    let count = try await cache.find(query.count, ReadOptions(source: source))
    try verifyEqual(count, answer.count, "the count")
    if source == .cachedOnly { return }
    try await askMore(of: cache, query, answer)
    try await turnPages(of: cache, query, testQuery.isDescending == nil ? nil : answer)
    let partial = try await cache.find(query, .partial)
    try verifyEqual(inOrder(partial), answer, "what could be read")
    let graphs = try await cache.find(query.graphs(.generations(0)))
    try verifyEqual(inOrder(graphs.map(\.root.record)), answer, "the roots of graphs")
    try verifyEqual(await cache.audit(), [], "the audit")
  }

  private func askMore(
    of cache: GraphCache, _ query: RecordQuery<R>, _ answer: [R]
  ) async throws {
    let refs = try await cache.find(query.refs)
    try verifyEqual(Set(refs), Set(answer.map(\.ref)), "the refs")
    try verifyEqual(refs.count, answer.count, "how many refs")
    try verifyEqual(try await cache.find(query.exists), !answer.isEmpty, "whether there is one")
    let first = try await cache.find(query.first)
    try verify(
      query.order.isEmpty ? first.map(answer.contains) ?? answer.isEmpty : first == answer.first,
      "\(first as Any) is the first")
    let ranks = answer.map(\.rank)
    try verifyEqual(
      try await cache.find(query.grouped(by: R.byRank).count),
      Dictionary(ranks.map { ($0, 1) }, uniquingKeysWith: +), "how many have which rank")
    try verifyEqual(
      try await cache.find(query.values(of: R.byRank)), Set(ranks), "the ranks")
    try verifyEqual(try await cache.find(query.minimum(of: R.byRank)), ranks.min(), "the least")
    try verifyEqual(try await cache.find(query.maximum(of: R.byRank)), ranks.max(), "the most")
    try verifyEqual(
      try await cache.find(query.sum(of: R.byRank)), ranks.reduce(0, +), "the sum")
    try verifyEqual(
      try await cache.find(query.average(of: R.byRank)),
      ranks.isEmpty ? nil : Double(ranks.reduce(0, +)) / Double(ranks.count), "the average")
  }

  private func turnPages(
    of cache: GraphCache, _ query: RecordQuery<R>, _ answer: [R]?
  ) async throws {
    var page = try await cache.page(query, size: 3)
    var found = page.records
    while page.hasMore {
      page = try await cache.page(query, size: 3, after: page.end)
      found += page.records
    }
    if let answer { try verifyEqual(found, answer, "the pages") }
    page = try await cache.page(query, size: 3, before: nil)
    var back = page.records
    while page.hasMore {
      page = try await cache.page(query, size: 3, before: page.start)
      back = page.records + back
    }
    try verifyEqual(back, found, "the pages, backwards")
  }
}

extension RelatedTrial {
  /// Runs random queries.
  ///
  /// - Parameters:
  ///   - seeds: How many lists of questions.
  ///   - condition: Creates a condition.
  ///   - makeStore: Creates a store with these records; `nil` for a cache without one.
  /// - Returns: How many questions were tried.
  /// - Throws: `PropertyFailure` with the smallest list that fails.
  @discardableResult
  fileprivate static func check(
    seeds: Int, _ condition: (inout SplitMix64) -> TestCondition<R>,
    _ makeStore: ((ClubModel) async throws -> any BackingStore)?
  ) async throws -> Int {
    try await Property.checkEach(
      seeds: seeds, steps: 5, generate: { RelatedTrial(condition(&$0), using: &$0) },
      run: { try await $0.run(makeStore) })
  }
}

/// Random queries across relationships.
package enum RelatedTrials {
  /// Runs random queries for records of both types.
  ///
  /// - Parameters:
  ///   - seeds: How many lists of five questions of each type.
  ///   - makeStore: Creates a store with these records; `nil` for a cache without one.
  /// - Returns: How many questions were tried.
  /// - Throws: `PropertyFailure` with the smallest list that fails.
  @discardableResult
  package static func check(
    seeds: Int, _ makeStore: ((ClubModel) async throws -> any BackingStore)?
  ) async throws -> Int {
    try await RelatedTrial<Member>.check(seeds: seeds, { .random(using: &$0) }, makeStore)
      + RelatedTrial<Club>.check(seeds: seeds, { .random(using: &$0) }, makeStore)
  }
}
