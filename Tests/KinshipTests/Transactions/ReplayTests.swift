import Testing

@testable import Kinship

/// Tests of the re-run of pending writes, without a transaction: all cases of three writes.
struct ReplayTests {
  private struct Refusal: Error {}

  /// The fate of a write's closure.
  enum Fate: CaseIterable, Sendable {
    case isMade
    /// It lacks a record once, and is applied then.
    case lacks
    /// It lacks a record that cannot be loaded.
    case lacksForEver
    case fails
    /// The store is committing it: its closure does not run.
    case isBeingCommitted
  }

  typealias Case = [Fate]

  static let cases: [Case] = Fate.allCases.flatMap { first in
    Fate.allCases.flatMap { second in Fate.allCases.map { [first, second, $0] } }
  }

  /// The result of a replay, by its steps.
  private struct Outcome: Equatable {
    /// The writes that were applied, in order; those that were staged again, negative.
    var taken: [Int] = []
    var failed: Set<UInt64> = []
    var isIncomplete = false
  }

  private func play(
    _ fates: Case, _ replay: Replay<Int>, refused: Set<UInt64> = []
  ) throws -> Outcome {
    var (replay, outcome, loaded) = (replay, Outcome(), Set<Int>())
    var staged: [Int] = []
    for _ in 0..<200 {
      switch replay.step() {
      case .begin:
        (outcome.taken, staged) = ([], [])
        replay.begin(
          fates.indices.map {
            .init(id: UInt64($0), isBeingCommitted: fates[$0] == .isBeingCommitted)
          })
      case .run(let id):
        #expect(!refused.contains(id))
        staged.append(Int(id))
        switch fates[Int(id)] {
        case .isBeingCommitted: Issue.record("what the store makes runs again")
        case .isMade: replay.recordResult(.success(nil))
        case .fails: replay.recordResult(.failure(Refusal()))
        case .lacks where loaded.contains(Int(id)): replay.recordResult(.success(nil))
        case .lacks, .lacksForEver: replay.recordResult(.success(Int(id)))
        }
      case .stageAgain(let id): staged.append(-Int(id))
      case .take:
        #expect(staged.count == 1)
        outcome.taken += staged
        staged = []
      case .undo: staged = []
      case .load(let lack):
        if fates[lack] == .lacksForEver {
          replay.recordUnloadable(Refusal())
        } else {
          loaded.insert(lack)
        }
      case .show:
        #expect(staged.isEmpty)
        outcome.failed = Set(replay.failures.keys)
        outcome.isIncomplete = replay.isIncomplete
        return outcome
      }
    }
    throw Refusal()
  }

  @Test(arguments: cases)
  func `writes that can be applied are applied in order`(_ fates: [Fate]) throws {
    let outcome = try play(fates, Replay())
    let failed = fates.indices.filter { fates[$0] == .fails || fates[$0] == .lacksForEver }
    #expect(outcome.failed == Set(failed.map { UInt64($0) }))
    #expect(
      outcome.taken
        == fates.indices.filter { !failed.contains($0) }
        .map { fates[$0] == .isBeingCommitted ? -$0 : $0 })
    #expect(!outcome.isIncomplete)
  }

  @Test(arguments: cases) func `a write that lacks data is kept as it was`(_ fates: [Fate]) throws {
    let outcome = try play(fates, Replay(keepingIncompleteWrites: true))
    #expect(outcome.failed == Set(fates.indices.filter { fates[$0] == .fails }.map { UInt64($0) }))
    #expect(
      outcome.taken
        == fates.indices.filter { fates[$0] != .fails }.map { fates[$0] == .isMade ? $0 : -$0 })
    #expect(outcome.isIncomplete == fates.contains { $0 == .lacks || $0 == .lacksForEver })
  }

  @Test(arguments: cases) func `a rejected write is left out`(_ fates: [Fate]) throws {
    let outcome = try play(fates, Replay(without: [1: Refusal()]), refused: [1])
    #expect(outcome.failed.contains(1))
    #expect(!outcome.taken.contains { abs($0) == 1 })
  }
}
