import KinshipTestTraits
import KinshipTrials
import Testing

/// Observers of every kind of records that are not `Equatable`.
@Suite(.dedicatedThreads, .boundedWaits, .tags(.lawO1, .lawO2))
struct LetterObservationTests {
  @Test(arguments: [15, .max])
  func `observers are notified of writes and not of reloads`(capacity: Int) async throws {
    #expect(try await LetterTrial.check(capacity: capacity, seeds: 60) > 0)
  }
}
