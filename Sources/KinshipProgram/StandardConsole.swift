internal import Foundation

/// The console of the process: its standard output and standard error.
package struct StandardConsole: Console {
  package let style: TextStyle
  package let width: Int
  private let watchesProgress: Bool
  private let error: Int32

  /// Detects terminals, and ignores the signal for a broken pipe, so that it becomes an error to
  /// handle.
  package init(
    error: Int32 = STDERR_FILENO, output: Int32 = STDOUT_FILENO,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.error = error
    signal(SIGPIPE, SIG_IGN)
    let isTerminal = isatty(output) == 1
    let isPlain = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
    style = isTerminal && !isPlain ? .ansi : .plain
    let columns = Self.columns(of: output) ?? environment["COLUMNS"].flatMap(Int.init)
    width = max(columns ?? 80, 40)
    watchesProgress = isatty(error) == 1 && environment["TERM"] != "dumb"
  }

  package func write(_ text: String) throws(OutputError) {
    switch FileOutput.writeAll(text, to: STDOUT_FILENO) {
    case nil: return
    case EPIPE?: throw .closed
    case let code?: throw .failed(cause: FileOutput.describe(code))
    }
  }

  package func complain(_ line: String) {
    // If standard error fails, nobody can be notified.
    _ = FileOutput.writeAll(line + "\n", to: error)
  }

  package func show(progress: String?) {
    guard watchesProgress else { return }
    _ = FileOutput.writeAll("\r\u{1B}[K\(progress ?? "")", to: error)
  }

  /// The width of a terminal; `nil` for any other file.
  private static func columns(of file: Int32) -> Int? {
    var size = winsize()
    guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

package enum FileOutput {
  /// Writes a text to an open file; returns the error number if that fails.
  package static func writeAll(_ text: String, to file: Int32) -> Int32? {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      rest = rest.dropFirst(count)
    }
    return nil
  }

  /// The system's message for an error number.
  package static func describe(_ error: Int32) -> String { String(cString: strerror(error)) }
}

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
