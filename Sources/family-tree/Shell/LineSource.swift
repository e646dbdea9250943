import Foundation

/// Where the commands of the shell come from.
struct LineSource: Sendable {
  /// Whether somebody types them, and needs a prompt.
  let isTerminal: Bool
  /// Reads the next line without its line feed; `nil` at the end.
  let nextLine: @Sendable () -> String?

  static let standardInput = LineSource(isTerminal: isatty(STDIN_FILENO) == 1) { readLine() }
}
