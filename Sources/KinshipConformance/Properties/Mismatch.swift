/// What a system did other than its reference model.
///
/// Inside a property throw this instead of using `#expect`: shrinking runs a failing test many
/// times over, and `#expect` would record each of them.
///
/// Code that is specialised in other modules throws it too.
@usableFromInline
package struct Mismatch: Error, CustomStringConvertible {
  /// What differs, and where it was seen.
  @usableFromInline package let description: String

  /// Creates a mismatch.
  ///
  /// - Parameters:
  ///   - message: What differs.
  ///   - fileID: The file that noticed.
  ///   - line: The line that noticed.
  @usableFromInline
  package init(_ message: String, fileID: StaticString = #fileID, line: UInt = #line) {
    description = "\(message) (\(fileID):\(line))"
  }
}

/// Verifies that a condition holds.
///
/// - Parameters:
///   - condition: What must hold.
///   - message: What to say where it does not.
///   - fileID: The file that asks.
///   - line: The line that asks.
/// - Throws: `Mismatch` where it does not hold.
package func verify(
  _ condition: Bool, _ message: @autoclosure () -> String,
  fileID: StaticString = #fileID, line: UInt = #line
) throws(Mismatch) {
  guard condition else { throw Mismatch(message(), fileID: fileID, line: line) }
}

/// Verifies that two values are equal.
///
/// - Parameters:
///   - actual: What the system says.
///   - expected: What the reference model says.
///   - subject: What is compared.
///   - fileID: The file that asks.
///   - line: The line that asks.
/// - Throws: `Mismatch` where they differ.
package func verifyEqual<Value: Equatable>(
  _ actual: Value, _ expected: Value, _ subject: @autoclosure () -> String,
  fileID: StaticString = #fileID, line: UInt = #line
) throws(Mismatch) {
  guard actual != expected else { return }
  throw Mismatch(
    "\(subject()) is \(actual), expected \(expected)", fileID: fileID, line: line)
}
