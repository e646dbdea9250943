import KinshipTestTraits
import KinshipTrials
import Testing

/// Records that are not `Equatable`, as observers of every kind are shown them.
@Suite(.dedicatedThreads, .boundedWaits, .tags(.lawO1, .lawO2))
struct LetterObservationTests {
  @Test(arguments: [15, .max])
  func `observers are notified of writes and not of reloads`(capacity: Int) async throws {
    #expect(try await LetterTrial.check(capacity: capacity, seeds: 60) > 0)
  }
}
