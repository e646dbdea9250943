import KinshipTestSupport
import KinshipTestTraits
import KinshipTrials
import Testing

/// Random functions over random families: a view equals its function over the records of one
/// version, whatever was loaded when.
@Suite(.dedicatedThreads, .tags(.lawV1, .lawV2))
struct ViewTrialTests {
  /// The program `random-operations` compares more than 100,000 functions.
  @Test func `a view equals its function applied to one version`() async throws {
    let effort = try Effort()
    let functions = try await ViewTrial.check(seeds: 300)
    #expect(effort.seed != nil || functions >= effort.operations(10_000))
  }

  @Test func `an observed view notifies of its changes`() async throws {
    try await ViewTrial.checkObserved(seeds: 300)
  }
}
