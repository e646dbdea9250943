import Foundation

/// The standard input of the process.
struct StandardInput: LineSource {
  var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  func nextLine() -> String? { readLine() }
}
