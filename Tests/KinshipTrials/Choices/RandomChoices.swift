import Kinship
import KinshipTesting
import KinshipTestSupport

/// Random operations on records that refer to records of two types.
package enum RandomChoices {
  static let steps = 60

  /// Runs them without a store, and over one with much and with little in memory.
  ///
  /// - Parameters:
  ///   - number: The number of the pair of rules in ``SmallDeletions``.
  ///   - seeds: How many lists of operations.
  /// - Returns: How many operations were tried.
  /// - Throws: `PropertyFailure` if they differ from the world of numbers.
  package static func check(rules number: Int, seeds: Int) async throws -> Int {
    let (onDelete, onTargetDelete) = SmallDeletions.rules[number]
    return try await check(onDelete, onTargetDelete, seeds)
  }

  private static func check<A: StaticRule, B: StaticRule>(
    _: A.Type, _: B.Type, _ seeds: Int
  ) async throws -> Int {
    var count = 0
    for (hasStore, capacity) in [(false, Int.max), (true, .max), (true, 2)] {
      try await Property.check(
        seeds: seeds, steps: steps, shrinkLimit: 500, generate: ChoiceCommand.random
      ) { commands, _ in
        // The rules of one relationship are those of the other, exchanged.
        var trial = try ChoiceTrial<Rules<A, B, B, A>>(
          store: hasStore ? MemoryStore() : nil, capacity: capacity)
        for command in commands { try await trial.perform(command) }
        try await trial.verifyAll(trial.cache)
        count += commands.count
      }
    }
    return count
  }
}
