import Foundation

/// The amount of work of a test run, and the seed to replay, if any.
///
/// Both come from the environment.
///
/// - `KINSHIP_SEED=17` runs only the trial of seed 17, exactly as it ran before.
/// - `KINSHIP_OPERATIONS=10` runs ten times as many operations as a thorough run, which is `1`. It
///   changes the number of seeds, never the operations of one seed. Below 1, exhaustive tests skip
///   some cases. The default is a tenth.
package struct Effort: Hashable, Sendable {
  /// The one seed to replay, or `nil` to try the usual ones.
  package let seed: UInt64?
  package let scale: Double

  /// Reads an environment.
  ///
  /// - Throws: `EffortError` if a variable has an invalid value.
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
      } ?? 0.1
  }

  /// The seeds to try: `1...usual`, scaled, with at least one seed; or only the seed to replay.
  package func seeds(_ usual: Int) -> ClosedRange<UInt64> {
    if let seed { return seed...seed }
    return 1...UInt64(operations(usual))
  }

  /// A number of operations, scaled, at least 1; `usual` must be above 0.
  package func operations(_ usual: Int) -> Int {
    precondition(usual > 0, "The number of cases must be positive, not \(usual).")
    return max(1, Int(exactly: (Double(usual) * scale).rounded()) ?? .max)
  }

  /// Selects the cases to try: all, or at a scale below 1 that part, spread from the first on.
  package func some<Cases: Collection>(of cases: Cases) -> [Cases.Element] {
    let step = max(1, 1 / scale)
    let count = cases.count
    return (0..<Int((Double(count) / step).rounded(.up))).map { turn in
      let number = min(count - 1, Int((Double(turn) * step).rounded(.up)))
      return cases[cases.index(cases.startIndex, offsetBy: number)]
    }
  }
}

/// An environment variable with an invalid value.
package struct EffortError: Error, Hashable, Sendable, CustomStringConvertible {
  package let variable: String
  package let value: String
  package let expected: String

  package var description: String {
    "The variable \(variable) is “\(value)”, and must be \(expected)."
  }
}
