#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How much a run of the tests tries, and whether it replays one seed: what the environment says.
///
/// - `KINSHIP_SEED=17` runs the trial of seed 17 alone, exactly as it ran before.
/// - `KINSHIP_OPERATIONS=10` makes ten times as many operations as a thorough run, which is `1`. It
///   changes how many seeds there are, never what one seed does. Below 1, tests of every case there
///   is leave some out. A run that says nothing makes a quarter.
package struct Effort: Hashable, Sendable {
  /// The one seed to replay, or `nil` to try the usual ones.
  package let seed: UInt64?

  /// How many times the usual number of operations to make.
  package let scale: Double

  /// Reads an environment.
  ///
  /// - Parameter environment: The variables. The default is this process's own.
  /// - Throws: `EffortError` where a variable is set to what it cannot mean.
  package init(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(EffortError) {
    seed = try environment["KINSHIP_SEED"].map { text throws(EffortError) in
      guard let seed = UInt64(text) else {
        throw EffortError(variable: "KINSHIP_SEED", value: text, expected: "an unsigned integer")
      }
      return seed
    }
    scale =
      try environment["KINSHIP_OPERATIONS"].map { text throws(EffortError) in
        guard let scale = Double(text), scale > 0, scale <= 1e6 else {
          throw EffortError(
            variable: "KINSHIP_OPERATIONS", value: text,
            expected: "a factor above 0, 1,000,000 at most")
        }
        return scale
      } ?? 0.25
  }

  /// The seeds to try.
  ///
  /// - Parameter usual: How many are tried when nobody asks for more or less.
  /// - Returns: `1...usual`, more or fewer by the scale and never none; or the one to replay.
  /// - Precondition: `usual` is above 0.
  package func seeds(_ usual: Int) -> ClosedRange<UInt64> {
    if let seed { return seed...seed }
    return 1...UInt64(operations(usual))
  }

  /// A number of operations, scaled.
  ///
  /// - Parameter usual: How many are made when nobody asks for more or less.
  /// - Returns: As many times that as the scale says, and 1 at least.
  /// - Precondition: `usual` is above 0.
  package func operations(_ usual: Int) -> Int {
    precondition(usual > 0, "nothing would be tried")
    return max(1, Int(exactly: (Double(usual) * scale).rounded()) ?? .max)
  }

  /// The cases to try of all there are.
  ///
  /// - Parameter cases: All cases.
  /// - Returns: All of them; with a scale below 1, as many as it says, evenly spread, the first
  ///   among them.
  package func some<Cases: Collection>(of cases: Cases) -> [Cases.Element] {
    let step = max(1, 1 / scale)
    return cases.enumerated().filter { number, _ in
      number == 0 || Int(Double(number) / step) > Int(Double(number - 1) / step)
    }.map(\.element)
  }
}

/// An environment variable that asks for what cannot be done.
package struct EffortError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The variable.
  package let variable: String

  /// What it is set to.
  package let value: String

  /// What it could be set to.
  package let expected: String

  /// The variable, its value, and what was expected.
  package var description: String { "\(variable)=\(value): expected \(expected)" }
}
