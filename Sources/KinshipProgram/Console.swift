/// Where a program writes to.
package protocol Console: Sendable {
  /// How text is set off on standard output.
  var style: TextStyle { get }
  /// The columns of the page.
  var width: Int { get }

  /// Writes to standard output.
  func write(_ text: String) throws(OutputError)

  /// Writes a line to standard error.
  func complain(_ line: String)

  /// Asks for a line, where somebody is there to type it.
  func prompt(_ text: String)

  /// Shows how far long work has come, where somebody is watching; nil takes it away again.
  func show(progress: String?)
}

/// Why text could not be written to standard output.
package enum OutputError: Error {
  /// Nobody reads any longer: `family-tree | head`.
  case closed
  case failed(cause: String)
}
