/// Where commands come from, a line at a time.
protocol LineSource: Sendable {
  /// Whether somebody types them, and wants to be asked.
  var isTerminal: Bool { get }

  /// The next line without its line feed; nil at the end.
  func nextLine() -> String?
}
