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
