package import KinshipTesting

extension Property {
  /// Checks a system step by step.
  ///
  /// - Parameters:
  ///   - seeds: How many lists of commands to try.
  ///   - steps: How many commands each list has.
  ///   - shrinkLimit: How many lists shrinking may try.
  ///   - effort: The amount of work, or `nil` to read it from the environment.
  ///   - generate: Makes a command.
  ///   - makeSystem: Makes a new system under test, with its model, for each list. Its argument is
  ///     the seed.
  ///   - apply: Performs a command, and throws if the system behaves wrongly.
  /// - Throws: ``PropertyFailure`` with the smallest list that failed; ``EffortError`` for an
  ///   invalid environment; `CancellationError` if the task is cancelled.
  package static func check<System, C: Command>(
    seeds: Int = 20, steps: Int = 200, shrinkLimit: Int = 2_000, effort: Effort? = nil,
    generate: (inout SplitMix64) -> C,
    system makeSystem: (UInt64) throws -> System,
    apply: (inout System, C) throws -> Void
  ) throws {
    var search = try CounterexampleSearch<C>(
      seeds: (effort ?? Effort()).seeds(seeds), steps: steps, shrinkLimit: shrinkLimit)
    while let trial = search.next(generate) {
      try Task.checkCancellation()
      search.record(outcome(of: trial, system: makeSystem, apply: apply), of: trial)
    }
    if let failure = search.failure { throw failure }
  }

  /// Checks a list of commands as a whole, for example if its commands run concurrently.
  ///
  /// - Parameters:
  ///   - seeds: How many lists of commands to try.
  ///   - steps: How many commands each list has.
  ///   - shrinkLimit: How many lists shrinking may try.
  ///   - effort: The amount of work, or `nil` to read it from the environment.
  ///   - generate: Makes a command.
  ///   - run: Runs the commands, and throws if something does not hold. Its second argument is the
  ///     seed, for example for ``Schedule/run(seed:limit:_:)``.
  /// - Throws: ``PropertyFailure`` with the smallest list that failed; ``EffortError`` for an
  ///   invalid environment; `CancellationError` if the task is cancelled.
  package static func check<C: Command>(
    seeds: Int = 20, steps: Int = 200, shrinkLimit: Int = 2_000, effort: Effort? = nil,
    generate: (inout SplitMix64) -> C,
    run: ([C], UInt64) throws -> Void
  ) throws {
    var search = try CounterexampleSearch<C>(
      seeds: (effort ?? Effort()).seeds(seeds), steps: steps, shrinkLimit: shrinkLimit)
    while let trial = search.next(generate) {
      try Task.checkCancellation()
      do {
        try run(trial.commands, trial.seed)
        search.record(.passed, of: trial)
      } catch {
        search.record(.failed(step: nil, cause: error), of: trial)
      }
    }
    if let failure = search.failure { throw failure }
  }

  private static func outcome<System, C: Command>(
    of trial: CounterexampleSearch<C>.Trial,
    system makeSystem: (UInt64) throws -> System,
    apply: (inout System, C) throws -> Void
  ) -> CounterexampleSearch<C>.Outcome {
    var step: Int?
    do {
      var system = try makeSystem(trial.seed)
      for (index, command) in trial.commands.enumerated() {
        step = index
        try apply(&system, command)
      }
      return .passed
    } catch {
      return .failed(step: step, cause: error)
    }
  }
}
