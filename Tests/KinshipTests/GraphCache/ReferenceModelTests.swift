import Foundation
import KinshipTestSupport
import Testing

/// The laws of identity, eviction, lazy resolution and generations at once: every command on a cache
/// beside its model.
@Suite(.timeLimit(.minutes(15)))
struct ReferenceModelTests {
  @Test func aCacheDoesWhatItsModelDoes() throws {
    try check(Int.self, seeds: 150)
  }

  @Test func idsMayBeOfAnyType() throws {
    try check(String.self, seeds: 12)
    try check(UUID.self, seeds: 12)
    try check(CompositeID.self, seeds: 12)
    try check(CollidingID.self, seeds: 12)
  }

  private func check<ID: TestID>(_ type: ID.Type, seeds: Int) throws {
    try Property.check(seeds: seeds, steps: 200, generate: CacheCommand.random) { commands, seed in
      try Schedule.run(seed: seed, limit: .max) { schedule in
        let witnesses = Witness.Log()
        try await Witness.Log.$current.withValue(witnesses) {
          var system = try CacheBesideModel<ID>(
            .init(seed: seed), executor: schedule.executor, witnesses)
          for (step, command) in commands.enumerated() {
            do {
              try await system.apply(command)
            } catch {
              throw Mismatch("at step \(step), \(command): \(error)")
            }
          }
          try await system.finish()
        }
      }
    }
  }
}
