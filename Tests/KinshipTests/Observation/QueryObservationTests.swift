import KinshipTestTraits
import KinshipTrials
import Testing

/// The observed answer of a query equals a new answer.
@Suite(.dedicatedThreads, .boundedWaits, .tags(.lawQ3))
struct QueryObservationTests {
  @Test(arguments: [nil, 0, 15, 1_000])
  func `an observed query equals a new query`(capacity: Int?) async throws {
    #expect(try await LiveTrial.check(capacity: capacity, seeds: 25) > 0)
  }

  @Test func `an observed query stays correct while others write`() throws {
    #expect(try LiveTrialAtWork.check(seeds: 150) > 0)
  }
}
