import KinshipTestTraits
import KinshipTrials
import Testing

/// The laws of generations on every graph of up to four records.
@Suite(.tags(.lawG1, .lawG2, .lawG3, .lawG4))
struct SmallGraphTests {
  @Test(arguments: 1...3)
  func `every request for a graph of up to three records is correct`(nodeCount: Int) throws {
    _ = try SmallGraphs.everyWayToAsk(nodeCount: nodeCount)
  }

  @Test func `every graph of four records is correct`() throws {
    _ = try SmallGraphs.everyGraphOfFour()
  }

  @Test func `refs to missing records are correct in every graph`() throws {
    _ = try SmallGraphs.refsThatLeadNowhere()
  }
}
