/// An environment variable that asks for what cannot be done.
public struct EffortError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The variable.
  public let variable: String

  /// What it is set to.
  public let value: String

  /// What it could be set to.
  public let expected: String

  /// The variable, its value, and what was expected.
  public var description: String { "\(variable)=\(value): expected \(expected)" }
}
