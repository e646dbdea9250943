import Foundation
package import Kinship
package import KinshipTesting
import KinshipTestSupport

/// A query over records from a seed, and all aggregates of its answer.
package struct QuestionTrial: Command, CustomStringConvertible {
  let phrase: Phrase?
  let text: TextCondition?
  let seed: UInt64
  let count: Int
  let isDescending: Bool
  let offset: Int
  let limit: Int?

  package init(using random: inout SplitMix64) {
    phrase = Bool.random(using: &random) ? .random(using: &random) : nil
    text = Bool.random(using: &random) ? TextCondition(using: &random) : nil
    seed = random.next()
    count = [0, 1, 7, 64, 70, 130][Int.random(in: 0..<6, using: &random)]
    isDescending = Bool.random(using: &random)
    let isCut = Bool.random(using: &random)
    offset = isCut ? [0, 1, 9][Int.random(in: 0..<3, using: &random)] : 0
    limit = isCut ? [nil, 0, 1, 20, .max][Int.random(in: 0..<5, using: &random)] : nil
  }

  private init(
    _ other: QuestionTrial, phrase: Phrase?, text: TextCondition?, count: Int, offset: Int,
    limit: Int?
  ) {
    self.phrase = phrase
    self.text = text
    seed = other.seed
    self.count = count
    isDescending = other.isDescending
    self.offset = offset
    self.limit = limit
  }

  package var shrunk: [QuestionTrial] {
    func with(
      _ phrase: Phrase?, _ text: TextCondition?, count: Int? = nil, isCut: Bool = true
    ) -> QuestionTrial {
      QuestionTrial(
        self, phrase: phrase, text: text, count: count ?? self.count, offset: isCut ? offset : 0,
        limit: isCut ? limit : nil)
    }
    return [0, 1, 2, count / 2].filter { $0 < count }.map { with(phrase, text, count: $0) }
      + (isWhole ? [] : [with(phrase, text, isCut: false)])
      + (text == nil ? [] : [with(phrase, nil)])
      + (phrase.map { [with(nil, text)] + $0.simpler.map { with($0, text) } } ?? [])
  }

  package var description: String {
    let filter = phrase.map { "\($0)" } ?? "all"
    let most = limit.map { ", at most \($0)" } ?? ""
    let text = text.map { " and \($0)" } ?? ""
    return "\(filter)\(text) of \(count) records by the seed \(seed), from \(offset)\(most)"
  }

  /// Whether offset and limit leave out nothing.
  private var isWhole: Bool { offset == 0 && limit == nil }

  /// Compares a cache's aggregates of the answer with those of a plain array.
  ///
  /// - Parameters:
  ///   - isStored: Whether every store must be able to store the records.
  ///   - makeCache: Makes a cache over these records.
  /// - Throws: `Mismatch` if they differ, and any error of the cache.
  package func run(
    isStored: Bool = true, _ makeCache: ([Sample]) async throws -> GraphCache
  ) async throws {
    var random = SplitMix64(seed: seed)
    let samples = (0..<count).map { Sample(id: $0, &random) }.map { isStored ? $0.storable : $0 }
    let filter = phrase.map { RecordFilter($0.predicate) } ?? .all
    // If the filter cannot be evaluated for a record, the answer may depend on other records than
    // these.
    guard (try? filter.matching(in: samples)) != nil else { return }
    func query(_ text: RecordFilter<Sample>?) -> RecordQuery<Sample> {
      let query = RecordQuery(text.map { filter && $0 } ?? filter).skipping(offset)
      return limit.map { query.limited(to: $0) } ?? query
    }
    let direction: SortTerm<Sample>.Direction = isDescending ? .descending : .ascending
    func sorted(_ query: RecordQuery<Sample>) -> RecordQuery<Sample> {
      query.sorted(by: \.small, direction).sorted(by: \.id)
    }
    let model = sorted(query(text.map { text in RecordFilter { text.holds(for: $0) } }))
    let (asked, answer) = (query(text?.filter), try model.answer(from: samples))
    let ordered = sorted(asked)
    let questions = Questions(
      cache: try await makeCache(samples), query: isWhole && isDescending ? asked : ordered,
      answer: answer)
    let refs = try await questions.cache.find(ordered.refs)
    try verifyEqual(refs.map(\.id), questions.answer.map(\.id), "the refs")
    try verifyEqual(
      try await questions.cache.find(ordered.exists), !questions.answer.isEmpty,
      "whether there is one")
    // Without an order, any of them is correct.
    try verifyEqual(try await questions.cache.find(asked.refs).count, answer.count, "how many refs")
    let counts = try await questions.cache.find(asked.grouped(by: \.text).count)
    try verifyEqual(counts.values.reduce(0, +), answer.count, "how many are counted")
    try await questions.ask()
    try verifyEqual(questions.cache.count, isStored ? 0 : count, "what has come into memory")
    let first = try await questions.cache.find(ordered.first)
    try verifyEqual(first?.id, questions.answer.first?.id, "the first")
  }

  /// Tries random queries.
  ///
  /// - Parameters:
  ///   - seeds: How many lists of ten queries.
  ///   - run: The check for each trial.
  /// - Returns: How many queries were tried.
  /// - Throws: `PropertyFailure` with the smallest list that fails.
  @discardableResult
  package static func check(
    seeds: Int, _ run: (QuestionTrial) async throws -> Void
  ) async throws -> Int {
    try await Property.checkEach(
      seeds: seeds, steps: 10, generate: { QuestionTrial(using: &$0) }, run: run)
  }
}
