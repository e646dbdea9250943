import Foundation
import KinshipTestSupport
import KinshipTestTraits
import KinshipTrials
import Testing

/// The laws of identity, eviction, lazy resolution and generations at once: every command on a
/// cache beside its model.
@Suite(
  .tags(.lawI1, .lawL4, .lawE1, .lawE2, .lawE3, .lawE4, .lawE5, .lawQ1))
struct ReferenceModelTests {
  @Test func aCacheBehavesLikeItsModel() throws {
    try ReferenceTrial.run(Int.self, seeds: 150)
  }

  @Test func `ids may be of any type`() throws {
    try ReferenceTrial.run(String.self, seeds: 12)
    try ReferenceTrial.run(UUID.self, seeds: 12)
    try ReferenceTrial.run(CompositeID.self, seeds: 12)
    try ReferenceTrial.run(CollidingID.self, seeds: 12)
  }
}
