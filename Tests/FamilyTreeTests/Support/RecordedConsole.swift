import KinshipProgram
import Synchronization

@testable import family_tree

/// Keeps the program's output.
final class RecordedConsole: Console {
  let style = TextStyle.plain
  let width = 100
  private let text = Mutex((output: "", complaints: [String](), progress: [String?]()))

  var output: String { text.withLock { $0.output } }
  var complaints: [String] { text.withLock { $0.complaints } }
  var progress: [String?] { text.withLock { $0.progress } }

  func write(_ output: String) { text.withLock { $0.output += output } }
  func complain(_ line: String) { text.withLock { $0.complaints.append(line) } }
  func show(progress: String?) { text.withLock { $0.progress.append(progress) } }
}

/// Runs the program on arguments.
func run(_ arguments: String...) async -> (status: ExitStatus, console: RecordedConsole) {
  await run(arguments)
}

func run(_ arguments: [String]) async -> (status: ExitStatus, console: RecordedConsole) {
  let console = RecordedConsole()
  return (await FamilyTreeProgram(console: console).run(arguments), console)
}
