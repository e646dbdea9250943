/// The smallest list of commands found for which a property does not hold.
public struct PropertyFailure<C: Command>: Error, CustomStringConvertible {
  /// The seed that makes the failing trial again, or `nil` where all lists were tried in turn.
  public let seed: UInt64?

  /// The commands, as few and as simple as shrinking made them.
  public let commands: [C]

  /// The index of the command that failed, or `nil` where only the list as a whole did.
  public let step: Int?

  /// What the minimal list of commands threw.
  public let cause: any Error

  /// How many commands failed at first.
  public let originalCount: Int

  /// How many lists shrinking tried.
  public let shrinkingRuns: Int

  /// The commands, the failing one marked; the cause; and how to replay.
  public var description: String {
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
