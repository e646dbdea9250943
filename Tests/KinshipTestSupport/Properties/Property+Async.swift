extension Property {
  /// Checks a system step by step, where steps wait.
  ///
  /// - Parameters:
  ///   - seeds: How many lists of commands to try.
  ///   - steps: How many commands each list has.
  ///   - shrinkLimit: How many lists shrinking may try.
  ///   - effort: How much to try, or `nil` for what the environment says.
  ///   - generate: Makes a command.
  ///   - makeSystem: Makes the system under test, with its model, afresh for every list. Its argument
  ///     is the seed.
  ///   - apply: Performs a command and throws where the system does not do what it should.
  /// - Throws: ``PropertyFailure`` with the smallest list that failed; ``EffortError`` for an
  ///   environment that makes no sense; `CancellationError` where the task is cancelled.
  nonisolated(nonsending) public static func check<System, C: Command>(
    seeds: Int = 20, steps: Int = 200, shrinkLimit: Int = 2_000, effort: Effort? = nil,
    generate: (inout SplitMix64) -> C,
    system makeSystem: nonisolated(nonsending) (UInt64) async throws -> System,
    apply: nonisolated(nonsending) (inout System, C) async throws -> Void
  ) async throws {
    var search = try CounterexampleSearch<C>(
      seeds: (effort ?? Effort()).seeds(seeds), steps: steps, shrinkLimit: shrinkLimit)
    while let trial = search.next(generate) {
      try Task.checkCancellation()
      await search.record(outcome(of: trial, system: makeSystem, apply: apply), of: trial)
    }
    if let failure = search.failure { throw failure }
  }

  /// Checks a list of commands as a whole, where running it waits.
  ///
  /// - Parameters:
  ///   - seeds: How many lists of commands to try.
  ///   - steps: How many commands each list has.
  ///   - shrinkLimit: How many lists shrinking may try.
  ///   - effort: How much to try, or `nil` for what the environment says.
  ///   - generate: Makes a command.
  ///   - run: Runs the commands and throws where something does not hold. Its second argument is
  ///     the seed.
  /// - Throws: ``PropertyFailure`` with the smallest list that failed; ``EffortError`` for an
  ///   environment that makes no sense; `CancellationError` where the task is cancelled.
  nonisolated(nonsending) public static func check<C: Command>(
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

  nonisolated(nonsending) private static func outcome<System, C: Command>(
    of trial: CounterexampleSearch<C>.Trial,
    system makeSystem: nonisolated(nonsending) (UInt64) async throws -> System,
    apply: nonisolated(nonsending) (inout System, C) async throws -> Void
  ) async -> CounterexampleSearch<C>.Outcome {
    var step: Int?
    do {
      var system = try await makeSystem(trial.seed)
      for (index, command) in trial.commands.enumerated() {
        step = index
        try await apply(&system, command)
      }
      return .passed
    } catch {
      return .failed(step: step, cause: error)
    }
  }
}
