internal import Foundation

/// The source of a program's commands.
package struct LineSource: Sendable {
  /// Whether a person types the commands, and needs a prompt.
  package let isTerminal: Bool
  /// Shows a prompt, and reads the next line without its line feed; `nil` at the end.
  package let nextLine: @Sendable (_ prompt: String) -> String?

  package init(
    isTerminal: Bool, nextLine: @escaping @Sendable (_ prompt: String) -> String?
  ) {
    (self.isTerminal, self.nextLine) = (isTerminal, nextLine)
  }

  /// Standard input; the prompt goes to standard error, because standard output may be a file.
  package static let standardInput = LineSource(isTerminal: isatty(STDIN_FILENO) == 1) { prompt in
    _ = FileOutput.writeAll(prompt, to: STDERR_FILENO)
    return readLine()
  }
}
