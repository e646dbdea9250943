/// The output of a program.
package protocol Console: Sendable {
  /// The highlighting on standard output.
  var style: TextStyle { get }
  /// The width of a line in columns.
  var width: Int { get }

  /// Writes to standard output.
  func write(_ text: String) throws(OutputError)

  /// Writes a line to standard error.
  func complain(_ line: String)

  /// Shows a prompt, if a person is there to answer it.
  func prompt(_ text: String)

  /// Shows the progress of long work, if a person watches; `nil` removes it.
  func show(progress: String?)
}

/// An error of writing to standard output.
package enum OutputError: Error {
  /// The reader has closed the pipe: `family-tree | head`.
  case closed
  case failed(cause: String)
}

/// The highlighting of text in a terminal, or none.
package enum TextStyle: Sendable {
  case plain
  case ansi

  package func bold(_ text: String) -> String { sequence("1", text) }
  package func dim(_ text: String) -> String { sequence("2", text) }
  package func warning(_ text: String) -> String { sequence("33", text) }

  private func sequence(_ code: String, _ text: String) -> String {
    self == .plain || text.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}

/// The exit status of a program, after `sysexits.h`.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// The answer is negative: no person has that name, a command in the shell fails, a file is
  /// damaged, two files differ.
  case notFound = 1
  /// The arguments are wrong.
  case usage = 64
  /// The file has invalid contents.
  case badData = 65
  /// The file cannot be read.
  case unreadable = 66
  /// The program has an internal error.
  case software = 70
  /// A file cannot be written.
  case cannotWrite = 73
  /// The output cannot be written.
  case outputFailed = 74
}
