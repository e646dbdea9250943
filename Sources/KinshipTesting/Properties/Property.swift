/// Checks that a property holds for many random lists of commands.
///
/// ```swift
/// @Test func `the cache evicts what its model evicts`() throws {
///   try Property.check(seeds: 50, steps: 400) { generator in
///     Operation.random(using: &generator)
///   } system: { _ in
///     CacheBesideModel(capacity: 4)
///   } apply: { system, operation in
///     try system.apply(operation)  // throws a Mismatch where the two differ
///   }
/// }
/// ```
///
/// The first list that fails is shrunk: commands are dropped, then simplified, as long as the list
/// still fails. The result is thrown as a ``PropertyFailure``, whose description names the seed
/// that replays it (see ``Effort``). Derive every random value from the seed.
package enum Property {
  /// Checks an asynchronous system step by step.
  ///
  /// - Throws: ``PropertyFailure`` with the smallest list that failed; ``EffortError`` for an
  ///   invalid environment; `CancellationError` if the task is cancelled.
  nonisolated(nonsending) package static func check<System, C: Command>(
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

/// One random operation of a property, as a value that can be kept, printed and shrunk.
///
/// ```swift
/// enum Operation: Command {
///   case put(Int)
///   case evict
///
///   var shrunk: [Operation] {
///     switch self {
///     case .put(let id): id.shrunk.map(Operation.put)
///     case .evict: []
///     }
///   }
/// }
/// ```
///
/// A failure prints its commands with `String(describing:)`, which writes an enum as in source
/// code. A command must make sense at any position, because shrinking drops commands before it.
package protocol Command: Sendable {
  /// Simpler commands to try instead of this one, the simplest first.
  ///
  /// Each must be closer to the simplest command, so that shrinking ends. The default is none.
  var shrunk: [Self] { get }
}

extension Command {
  package var shrunk: [Self] { [] }
}
