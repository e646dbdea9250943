package import KinshipTesting

extension Property {
  /// Checks an asynchronous list of commands as a whole.
  ///
  /// - Parameters:
  ///   - seeds: How many lists of commands to try.
  ///   - steps: How many commands each list has.
  ///   - shrinkLimit: How many lists shrinking may try.
  ///   - effort: The amount of work, or `nil` to read it from the environment.
  ///   - generate: Makes a command.
  ///   - run: Runs the commands, and throws if something does not hold. Its second argument is the
  ///     seed.
  /// - Throws: ``PropertyFailure`` with the smallest list that failed; ``EffortError`` for an
  ///   invalid environment; `CancellationError` if the task is cancelled.
  nonisolated(nonsending) package static func check<C: Command>(
    seeds: Int = 20, steps: Int = 200, shrinkLimit: Int = 2_000, effort: Effort? = nil,
    generate: (inout SplitMix64) -> C,
    run: nonisolated(nonsending) ([C], UInt64) async throws -> Void
  ) async throws {
    var search = try CounterexampleSearch<C>(
      seeds: (effort ?? Effort()).seeds(seeds), steps: steps, shrinkLimit: shrinkLimit)
    while let trial = search.next(generate) {
      try Task.checkCancellation()
      do {
        try await run(trial.commands, trial.seed)
        search.record(.passed, of: trial)
      } catch {
        search.record(.failed(step: nil, cause: error), of: trial)
      }
    }
    if let failure = search.failure { throw failure }
  }
}
