import Foundation
package import Kinship
package import KinshipTesting
import KinshipTestSupport

/// One phrase over records from a seed.
package struct PredicateTrial: Command, CustomStringConvertible {
  let phrase: Phrase
  let seed: UInt64
  let count: Int

  package init(using random: inout SplitMix64) {
    self.init(
      .random(using: &random), seed: random.next(),
      // Full pages, a part of one, and none.
      count: [0, 1, 63, 64, 65, 130][Int.random(in: 0..<6, using: &random)])
  }

  private init(_ phrase: Phrase, seed: UInt64, count: Int) {
    self.phrase = phrase
    self.seed = seed
    self.count = count
  }

  package var shrunk: [PredicateTrial] {
    [0, 1, count / 2].filter { $0 < count }
      .map { PredicateTrial(phrase, seed: seed, count: $0) }
      + phrase.simpler.map { PredicateTrial($0, seed: seed, count: count) }
  }

  package var description: String { "\(phrase) of \(count) records by the seed \(seed)" }

  private var samples: [Sample] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { Sample(id: $0, &random) }
  }

  /// Compares with Foundation's evaluation for each record: one by one, by the page, and within
  /// memory.
  package func run() async throws {
    let (samples, predicate) = (samples, phrase.predicate)
    let filter = RecordFilter(predicate)
    var expected: [Int] = []
    var failing: [Sample] = []
    for sample in samples {
      switch Result(catching: { try predicate.evaluate(sample) }) {
      case .success(let isIncluded):
        try verifyEqual(try filter.matches(sample), isIncluded, "\(sample)")
        try verifyEqual(try (!filter).matches(sample), !isIncluded, "not \(sample)")
        if isIncluded { expected.append(sample.id) }
      case .failure:
        failing.append(sample)
        try await expectFailure(of: [sample]) { try filter.matches(sample) }
      }
    }
    let cache = try GraphCache(for: Sample.self, Sample.Owner.self)
    var random = SplitMix64(seed: seed)
    try await cache.put(contentsOf: [Sample(id: -1, &random)] + samples)
    // The slot of a removed record is not searched.
    await cache.remove(Ref<Sample>(-1))
    let query = RecordQuery(filter).sorted(by: \.id)
    if failing.isEmpty {
      try verifyEqual(try filter.matching(in: samples).map(\.id), expected, "of an array")
      try verifyEqual(try await cache.find(query).map(\.id), expected, "in memory")
    } else {
      try await expectFailure(of: failing) { try filter.matching(in: samples) }
      // Records that an index leaves out are not evaluated.
      var found: [Int]?
      do { found = try await cache.find(query).map(\.id) } catch {
        try await expectFailure(of: failing) { throw error }
      }
      if let found { try verifyEqual(found, expected, "by an index") }
    }
  }

  /// Compares a store's answer with the filter's result for each record.
  ///
  /// - Parameter makeStore: Makes a store that holds records.
  /// - Throws: `Mismatch` if they differ, and any error of the store.
  package func run(on makeStore: ([Sample]) async throws -> any BackingStore) async throws {
    let samples = samples.map(\.storable)
    let filter = RecordFilter(phrase.predicate)
    // If the filter cannot be evaluated for a record, the answer may depend on other records than
    // these.
    guard let expected = try? filter.matching(in: samples).map(\.id) else { return }
    let store = try await makeStore(samples)
    for query in [
      RecordQuery(filter).sorted(by: \.id),
      RecordQuery(filter).sorted(by: \.small).sorted(by: \.id).skipping(1).limited(to: 5),
      RecordQuery(filter).sorted(by: \.id, .descending).filtered(by: RecordFilter { $0.id > 3 })
        .limited(to: 7),
    ] {
      let answer = try query.answer(from: samples).map(\.id)
      try verifyEqual(
        try await store.fetch(query).map(\.id), answer,
        "the answer by \(query.order.map(\.name)) from \(query.offset)")
      try verifyEqual(try await store.count(query), answer.count, "the count")
    }
    try verifyEqual(
      try await store.fetch(RecordQuery(filter)).map(\.id).sorted(), expected, "all of them")
    try verifyEqual(
      try await store.count(RecordQuery(!filter)), samples.count - expected.count, "the others")
  }

  private func expectFailure(of samples: [Sample], _ body: () async throws -> Any) async throws {
    do {
      _ = try await body()
    } catch KinshipError.filterFailed(let ref, _) {
      return try verify(samples.contains { AnyRef($0.ref) == ref }, "\(ref) fails")
    }
    throw Mismatch("Foundation throws, and the filter does not")
  }
}

extension PredicateTrial {
  /// Tries random phrases.
  ///
  /// - Parameters:
  ///   - seeds: How many lists of twenty phrases.
  ///   - effort: How much to try, or `nil` for what the environment says.
  ///   - run: The check for each trial; by default, a comparison of filters on records in memory.
  /// - Returns: How many phrases were tried.
  /// - Throws: `PropertyFailure` with the smallest list that fails.
  @discardableResult
  package static func check(
    seeds: Int, effort: Effort? = nil,
    _ run: (PredicateTrial) async throws -> Void = { try await $0.run() }
  ) async throws -> Int {
    try await Property.checkEach(
      seeds: seeds, steps: 20, effort: effort, generate: { PredicateTrial(using: &$0) }, run: run)
  }
}
