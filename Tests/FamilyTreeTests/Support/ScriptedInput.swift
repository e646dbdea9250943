import KinshipProgram
import Synchronization

@testable import family_tree

/// Commands that are there from the beginning.
final class ScriptedInput: LineSource {
  let isTerminal: Bool
  private let lines: Mutex<ArraySlice<String>>

  init(_ text: String, isTerminal: Bool = false) {
    self.isTerminal = isTerminal
    lines = Mutex(
      text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...])
  }

  func nextLine() -> String? { lines.withLock { $0.popFirst() } }
}

/// Runs the shell on a genealogy and commands.
func shell(
  _ arguments: [String] = [], isTerminal: Bool = false, _ commands: String
) async -> (status: ExitStatus, console: RecordedConsole) {
  let console = RecordedConsole()
  let input = ScriptedInput(commands, isTerminal: isTerminal)
  let program = FamilyTreeProgram(console: console, input: input, longestCatchUp: patience)
  return (await program.run(arguments + ["--shell"]), console)
}
