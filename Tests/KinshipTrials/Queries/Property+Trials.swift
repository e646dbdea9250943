import KinshipTesting
import KinshipTestSupport

extension Property {
  /// Runs random trials one by one, and names the one that fails.
  ///
  /// - Parameters:
  ///   - seeds: How many lists of trials.
  ///   - steps: How many trials are in a list.
  ///   - effort: How much to try, or `nil` for what the environment says.
  ///   - generate: Makes a trial.
  ///   - run: The check for each trial.
  /// - Returns: How many were tried.
  /// - Throws: `PropertyFailure` with the smallest list that fails.
  static func checkEach<Trial: Command & CustomStringConvertible>(
    seeds: Int, steps: Int, effort: Effort? = nil,
    generate: (inout SplitMix64) -> Trial, run: (Trial) async throws -> Void
  ) async throws -> Int {
    var count = 0
    try await check(seeds: seeds, steps: steps, effort: effort, generate: generate) { trials, _ in
      for trial in trials {
        count += 1
        do {
          try await run(trial)
        } catch {
          throw Mismatch("\(trial): \(error)")
        }
      }
    }
    return count
  }
}
