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
