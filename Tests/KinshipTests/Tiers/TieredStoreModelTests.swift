import KinshipTestTraits
import KinshipTrials
import Testing

@Suite(.tags(.lawA3))
struct TieredStoreModelTests {
  @Test(arguments: TieredTrial.Kind.allCases)
  func `tiers have the contents of their model`(kind: TieredTrial.Kind) async throws {
    try await TieredTrial.check(kind, seeds: 100)
  }

  @Test(arguments: [false, true])
  func `copies equal the far store's records under concurrent work`(nearFails: Bool) throws {
    try TieredTrialAtWork.check(nearFails: nearFails, seeds: 200)
  }
}
