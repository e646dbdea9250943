import Kinship
import KinshipProgram
import Synchronization

@testable import kinship_inspect

/// Keeps what the program writes.
final class RecordedConsole: Console {
  let style = TextStyle.plain
  let width: Int
  private let text = Mutex((output: "", complaints: [String](), progress: 0))

  init(width: Int = 100) { self.width = width }

  var output: String { text.withLock { $0.output } }
  var complaints: [String] { text.withLock { $0.complaints } }

  func write(_ output: String) { text.withLock { $0.output += output } }
  func complain(_ line: String) { text.withLock { $0.complaints.append(line) } }
  func show(progress: String?) { text.withLock { $0.progress += 1 } }
}

/// Runs the program on arguments.
func run(
  _ arguments: String..., in files: any FileSystem = SystemFiles()
) -> (status: ExitStatus, console: RecordedConsole) {
  let console = RecordedConsole()
  return (InspectProgram(console: console, files: files).run(arguments), console)
}
