import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// The state of observers, without a cache around it.
@Suite(.boundedWaits)
struct ObserverStateTests {
  /// A record that is not `Equatable`: only its marks decide whether it has changed.
  private struct Letter: GraphRecord {
    let id: Int
    var rank = 0
  }

  private enum Event: CaseIterable {
    case written, loaded, removed, doubted, resolved, resolvedAsMissing
  }

  /// All sequences of five events.
  ///
  /// After each, the observer is shown the difference or not.
  @Test func `a record written or invalidated counts as updated, a loaded one not`() {
    let count = Event.allCases.count * 2
    for number in 0..<(count * count * count * count) {
      var (tracked, rest) = (TrackedRecords<Int, Letter>([1]), number)
      tracked.latest[1] = Letter(id: 1)
      var (isPresent, wasPresent, isDoubted, isChanged) = (true, true, false, false)
      for _ in 0..<4 {
        let event = Event.allCases[rest / 2 % Event.allCases.count]
        switch event {
        case .written: tracked.apply(.written(Letter(id: 1)), to: 1)
        case .loaded: tracked.apply(.loaded(Letter(id: 1)), to: 1)
        case .removed: tracked.apply(.removed, to: 1)
        case .doubted: tracked.apply(.unknown, to: 1)
        case .resolved: tracked.resolve(1, Letter(id: 1))
        case .resolvedAsMissing: tracked.resolve(1, nil)
        }
        switch event {
        case .written: (isPresent, isChanged, isDoubted) = (true, true, false)
        case .loaded: (isPresent, isChanged, isDoubted) = (true, isChanged || isDoubted, false)
        case .removed: (isPresent, isChanged, isDoubted) = (false, isChanged || isPresent, false)
        case .doubted: isDoubted = true
        case .resolved where isDoubted: (isPresent, isChanged, isDoubted) = (true, true, false)
        case .resolvedAsMissing where isDoubted:
          (isPresent, isChanged, isDoubted) = (false, isChanged || isPresent, false)
        case .resolved, .resolvedAsMissing: break
        }
        let (diff, counts) = tracked.difference(RecordComparison())
        let isUpdate = wasPresent && isPresent && isChanged
        let isRight =
          diff.updated.count == (isUpdate ? 1 : 0)
          && diff.inserted.count == (!wasPresent && isPresent ? 1 : 0)
          && diff.removed.count == (wasPresent && !isPresent ? 1 : 0)
          && counts == (isUpdate || wasPresent != isPresent)
          && tracked.unknown.contains(1) == isDoubted
        #expect(isRight, "sequence \(number), at \(event): \(diff)")
        if rest % 2 == 1 {
          tracked.markShown()
          (wasPresent, isChanged) = (isPresent, false)
        }
        rest /= count
      }
    }
  }

  /// An answer of ten records holds 26, and releases the rest only past twice as many.
  @Test func `a limited answer keeps the records that it may soon need`() throws {
    var query = ObservedQuery(RecordQuery<Letter>().sorted(by: \.rank).limited(to: 10))
    func show(_ marks: [Int: Mark<Letter>]) throws -> [Int] {
      var all = Marks<Int, Letter>()
      all.byKey = marks
      try query.apply(all)
      return try #require(query.next(RecordComparison())?.value.map(\.id))
    }
    func letters(_ ids: some Sequence<Int>) -> [Letter] { ids.map { Letter(id: $0, rank: $0) } }
    guard case .answer(let first) = query.need else { return #expect(Bool(false)) }
    #expect(first.limit == 26)
    try query.apply(answer: letters(100..<126), to: first)
    #expect(try show([:]) == Array(100..<110))
    // With 26 more in front, all are kept: ten remain after 42 were removed.
    let more = letters(50..<76)
    #expect(
      try show(Dictionary(uniqueKeysWithValues: more.map { ($0.id, .written($0)) }))
        == Array(50..<60))
    let gone = Array(50..<76) + Array(100..<116)
    #expect(
      try show(Dictionary(uniqueKeysWithValues: gone.map { ($0, .removed) })) == Array(116..<126))
    #expect(!query.isWanting)
    var last = Marks<Int, Letter>()
    last.byKey = [116: .removed]
    try query.apply(last)
    guard case .more(let rest) = query.need else { return #expect(Bool(false)) }
    #expect(rest.limit == 17)
  }
}
