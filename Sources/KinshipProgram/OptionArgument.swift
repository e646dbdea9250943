/// An option of a command line, whose value stands behind a sign of equality or comes next.
package struct OptionArgument {
  package let name: String
  /// The value behind the sign, until it is taken.
  private var inlineValue: String?

  package init(_ argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    name = parts.first.map(String.init) ?? argument
    inlineValue = parts.count > 1 ? String(parts[1]) : nil
  }

  /// Whether it has a value that nobody has taken.
  package var hasValueLeft: Bool { inlineValue != nil }

  /// Takes the value; `nil` if there is none.
  package mutating func takeValue(from rest: inout ArraySlice<String>) -> String? {
    if let value = inlineValue {
      inlineValue = nil
      return value
    }
    guard let value = rest.first, !value.hasPrefix("--") else { return nil }
    rest.removeFirst()
    return value
  }
}
