import Foundation
import KinshipTesting
import KinshipTestTraits
import KinshipTrials
import Testing

@testable import Kinship

/// Compiled predicates say what Foundation's evaluation says.
@Suite(.dedicatedThreads, .tags(.lawQ4)) struct PredicateTests {
  @Test func `a compiled predicate agrees with Foundation`() async throws {
    try await PredicateTrial.check(seeds: 100)
  }
}
