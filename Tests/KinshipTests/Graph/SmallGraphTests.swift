import KinshipTestTraits
import KinshipTrials
import Testing

/// The laws of generations on every graph of up to four records.
@Suite(.tags(.lawG1, .lawG2, .lawG3, .lawG4))
struct SmallGraphTests {
  @Test(arguments: 1...3)
  func everyWayToAskForAGraphOfUpToThreeRecords(nodeCount: Int) throws {
    _ = try SmallGraphs.everyWayToAsk(nodeCount: nodeCount)
  }

  @Test func everyGraphOfFourRecords() throws { _ = try SmallGraphs.everyGraphOfFour() }

  @Test func refsThatLeadNowhere() throws { _ = try SmallGraphs.refsThatLeadNowhere() }
}
