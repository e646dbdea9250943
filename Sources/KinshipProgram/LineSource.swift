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

  /// Standard input; a person can edit the line in a terminal, and go back to earlier ones.
  package static let standardInput = {
    let isTerminal = isatty(STDIN_FILENO) == 1
    return LineSource(isTerminal: isTerminal) { prompt in
      if isTerminal, isatty(STDOUT_FILENO) == 1, let editor = LineEditor.shared {
        return editor.nextLine(prompt)
      }
      // Not to standard output, which may be a file.
      _ = FileOutput.writeAll(prompt, to: STDERR_FILENO)
      return readLine()
    }
  }()
}

/// The line editing and the history of libedit, which is part of most systems and is loaded only
/// when a person types.
package struct LineEditor: Sendable {
  private typealias Readline =
    @convention(c) @Sendable (UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?
  private typealias AddHistory = @convention(c) @Sendable (UnsafePointer<CChar>) -> CInt

  private let readline: Readline
  private let addHistory: AddHistory

  /// The editor; `nil` on a system without the library.
  package static let shared = LineEditor()

  private init?() {
    let names = ["libedit.so.2", "libedit.so.0", "libedit.3.dylib"]
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first,
      let readline = dlsym(library, "readline"), let addHistory = dlsym(library, "add_history")
    else { return nil }
    // `dlsym` returns addresses without types: these are the types in libedit's `readline.h`.
    self.readline = unsafeBitCast(readline, to: Readline.self)
    self.addHistory = unsafeBitCast(addHistory, to: AddHistory.self)
    // The library reads characters in the encoding of the user's locale.
    setlocale(LC_CTYPE, "")
  }

  fileprivate func nextLine(_ prompt: String) -> String? {
    guard let line = readline(prompt) else { return nil }
    defer { free(line) }
    if line.pointee != 0 { _ = addHistory(line) }
    return String(cString: line)
  }
}
