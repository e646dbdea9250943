/// The smallest list of commands that was found to violate a property.
package struct PropertyFailure<C: Command>: Error, CustomStringConvertible {
  /// The seed that repeats the failing trial, or `nil` if all lists were tried in turn.
  package let seed: UInt64?
  package internal(set) var commands: [C]
  /// The index of the command that failed, or `nil` if only the list as a whole did.
  package internal(set) var step: Int?
  package internal(set) var cause: any Error
  package let originalCount: Int
  package internal(set) var shrinkingRuns: Int

  package init(
    seed: UInt64?, commands: [C], step: Int?, cause: any Error, originalCount: Int,
    shrinkingRuns: Int
  ) {
    self.seed = seed
    self.commands = commands
    self.step = step
    self.cause = cause
    self.originalCount = originalCount
    self.shrinkingRuns = shrinkingRuns
  }

  package var description: String {
    let withSeed = seed.map { " with seed \($0)" } ?? ""
    let atStep = step.map { ", at step \($0)" } ?? ""
    let replay = seed.map {
      """

      Shrunk from \(originalCount) to \(commands.count) commands in \(shrinkingRuns) runs.
      Replay: KINSHIP_SEED=\($0)
      """
    }
    let listing = commands.enumerated().map { index, command in
      "  \(index == step ? ">" : " ") \(index): \(command)"
    }
    return """
      The property does not hold\(withSeed)\(atStep):
      \(listing.isEmpty ? "    (no commands)" : listing.joined(separator: "\n"))
      \(type(of: cause)): \(cause)\(replay ?? "")
      """
  }
}
