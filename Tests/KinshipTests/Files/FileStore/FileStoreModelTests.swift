import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

@Suite(.dedicatedThreads)
struct FileStoreModelTests {
  /// Compared with dictionaries, with restarts, kills, losses of power and compaction among the
  /// operations.
  @Test func `a file store behaves like its model`() async throws {
    try await Property.check(seeds: 40, steps: 80, shrinkLimit: 300) { generator in
      FileStoreCommand.random(using: &generator)
    } system: { seed in
      try await FileStoreTrial(seed: seed)
    } apply: { trial, command in
      try await trial.perform(command)
    }
  }
}
