import KinshipTestSupport

@testable import Kinship

/// The content of one change for an observer, whatever it observes.
struct LetterReport {
  /// The records, in their order, or by id if they have none.
  let value: [Letter]
  let updated: [(old: Letter, new: Letter)]
  let removed: [Letter]
  /// Applies the difference to the records shown before.
  let replayed: ([Letter]) -> [Letter]

  init(_ change: ObservedChange<[Letter], ListDiff<Letter>>) {
    self.init(change.value, change.diff)
  }
  init(_ change: ObservedChange<ResultList<Letter>, ListDiff<Letter>>) {
    self.init(Array(change.value), change.diff)
  }

  private init(_ value: [Letter], _ diff: ListDiff<Letter>) {
    self.value = value
    updated = diff.updated.map { ($0.old, $0.new) }
    removed = diff.removed.map(\.element)
    replayed = diff.applying
  }

  init(_ value: [Letter], _ diff: RecordDiff<Letter>) {
    self.value = value.sorted { $0.id < $1.id }
    updated = diff.updated.map { ($0.old, $0.new) }
    removed = diff.removed
    replayed = { old in
      let all = diff.applying(to: Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) }))
      return all.values.sorted { $0.id < $1.id }
    }
  }

  init(_ value: [any GraphRecord], _ diff: RecordDiff<any GraphRecord>) {
    func letters(_ records: [any GraphRecord]) -> [Letter] { records.compactMap { $0 as? Letter } }
    self.init(
      letters(value),
      RecordDiff(
        inserted: letters(diff.inserted),
        updated: zip(letters(diff.updated.map(\.old)), letters(diff.updated.map(\.new))).map {
          RecordDiff<Letter>.Update(old: $0, new: $1)
        }, removed: letters(diff.removed)))
  }
}

/// The changes of records since an observer's last look.
struct LetterNews {
  /// The written records, and those that were invalidated.
  var said: Set<Int> = []
  /// Whether any record may be shown as updated.
  var isVague = false
}

/// An observer, and the records shown to it.
protocol LetterWitness {
  /// Looks, and verifies the records shown and the changes reported.
  ///
  /// - Returns: The number of updates reported.
  mutating func look(_ truth: [Int: Int], _ news: LetterNews, _ cache: GraphCache) async throws
    -> Int
}

struct SubjectWitness<Followed: Subject>: LetterWitness {
  private let name: String
  private var subject: Followed
  private let observer: Observer
  private let report: (ObservedChange<Followed.Value, Followed.Diff>) -> LetterReport
  /// The expected records, in their order; `nil` if it shows those in memory.
  private let expected: (([Int: Int]) -> [Letter])?
  private var shown: [Letter] = []

  init(
    _ name: String, _ subject: Followed, in cache: GraphCache,
    _ report: @escaping (ObservedChange<Followed.Value, Followed.Diff>) -> LetterReport,
    expecting expected: (([Int: Int]) -> [Letter])?
  ) async throws {
    var subject = subject
    let (observer, first) = try await subject.start(in: cache)
    (self.name, self.subject, self.observer, self.report) = (name, subject, observer, report)
    self.expected = expected
    _ = try take(report(first))
  }

  /// Applies a change, and returns the ids of the updates.
  private mutating func take(_ report: LetterReport) throws -> [Int] {
    try verifyEqual(
      report.replayed(shown).map(\.facts), report.value.map(\.facts), "\(name): the difference")
    let copies = Set(shown.map(\.copy))
    for old in report.updated.map(\.old) + report.removed {
      try verify(copies.contains(old.copy), "\(name): \(old) was not shown before")
    }
    let new = Set(report.value.map(\.copy))
    for update in report.updated {
      try verify(new.contains(update.new.copy), "\(name): \(update.new) is not shown")
    }
    shown = report.value
    return report.updated.map(\.new.id)
  }

  mutating func look(
    _ truth: [Int: Int], _ news: LetterNews, _ cache: GraphCache
  ) async throws -> Int {
    let before = Set(shown.map(\.id))
    var told: Set<Int> = []
    var rounds = 0
    while let change = try await subject.next(observer, RecordComparison()) {
      told.formUnion(try take(report(change)))
      rounds += 1
      try verify(rounds < 8, "\(name): there is no end of news")
    }
    if let expected {
      try verifyEqual(shown.map(\.facts), expected(truth).map(\.facts), name)
    } else {
      for letter in shown { try verifyEqual(truth[letter.id], letter.rank, "\(name): \(letter)") }
      let kept = before.union(truth.keys.filter { cache.contains(Ref<Letter>($0)) })
      let lost = kept.subtracting(shown.map(\.id)).filter { truth[$0] != nil }
      try verifyEqual(lost, [], "\(name): what is not shown")
    }
    let both = before.intersection(shown.map(\.id))
    if !news.isVague {
      try verifyEqual(told.intersection(both), both.intersection(news.said), "\(name): updates")
    }
    return told.count
  }
}
