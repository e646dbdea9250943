/// An environment variable that asks for what cannot be done.
package struct EffortError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The variable.
  package let variable: String

  /// What it is set to.
  package let value: String

  /// What it could be set to.
  package let expected: String

  /// The variable, its value, and what was expected.
  package var description: String { "\(variable)=\(value): expected \(expected)" }
}
