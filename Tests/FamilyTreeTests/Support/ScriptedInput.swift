import KinshipProgram
import Synchronization

@testable import family_tree

/// Commands that are available from the beginning; `prompted` gets each prompt.
func scriptedInput(
  _ text: String, isTerminal: Bool = false,
  prompted: @escaping @Sendable (String) -> Void = { _ in }
) -> LineSource {
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  let next = Mutex(0)
  return LineSource(isTerminal: isTerminal) { prompt in
    if !prompt.isEmpty { prompted(prompt) }
    return next.withLock { index in
      defer { index += 1 }
      return index < lines.count ? lines[index] : nil
    }
  }
}

/// Runs the shell on a genealogy and commands.
func shell(
  _ arguments: [String] = [], isTerminal: Bool = false, _ commands: String
) async -> (status: ExitStatus, console: RecordedConsole) {
  let console = RecordedConsole()
  let input = scriptedInput(commands, isTerminal: isTerminal) { console.write($0) }
  let program = FamilyTreeProgram(console: console, input: input)
  return (await program.run(arguments + ["--shell"]), console)
}
