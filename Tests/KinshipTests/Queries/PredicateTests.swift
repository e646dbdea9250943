import Foundation
import KinshipTesting
import KinshipTestTraits
import KinshipTrials
import Testing

@testable import Kinship

/// Compiled predicates say what Foundation's evaluation says.
@Suite(.dedicatedThreads, .tags(.lawQ4)) struct PredicateTests {
  private struct OwnID: Hashable, Codable {
    let text: String

    static func == (left: OwnID, right: OwnID) -> Bool { left.text == right.text }
  }

  private struct Letter: GraphRecord {
    let id: OwnID
    let weight: Int
    let stamp: Int?
    let answers: Ref<Letter>
    var doubled: Int { weight * 2 }
  }

  @Test func `a compiled predicate agrees with Foundation`() async throws {
    try await PredicateTrial.check(seeds: 100)
  }

  @Test func `only a filter that runs no code of the program is evaluated under the lock`() {
    let (owner, small) = (Ref<Letter>(OwnID(text: "a")), 3)
    #expect(RecordFilter(#Predicate<Letter> { $0.weight % 26 == small }).isScan)
    #expect(
      RecordFilter(#Predicate<Letter> { ($0.stamp ?? 1) * 2 - $0.weight / small > -small }).isScan)
    #expect(
      RecordFilter(#Predicate<Letter> { !($0.weight + 1 == small || $0.stamp != nil) }).isScan)
    #expect(!RecordFilter(#Predicate<Letter> { $0.doubled % 26 == small }).isScan)
    #expect(!RecordFilter(#Predicate<Letter> { $0.answers == owner }).isScan)
    #expect(!RecordFilter(#Predicate<Letter> { $0.weight % 26 == small && $0.doubled == 2 }).isScan)
  }
}
