/// A difference between a system and its reference model.
///
/// Throw it inside a property instead of using `#expect`: shrinking runs a failing test many times,
/// and `#expect` would record each failure.
///
/// Code that is specialised in other modules throws it too.
@usableFromInline
package struct Mismatch: Error, CustomStringConvertible {
  @usableFromInline package let description: String

  @usableFromInline
  package init(_ message: String, fileID: StaticString = #fileID, line: UInt = #line) {
    description = "\(message) (\(fileID):\(line))"
  }
}

/// Verifies that a condition holds.
package func verify(
  _ condition: Bool, _ message: @autoclosure () -> String,
  fileID: StaticString = #fileID, line: UInt = #line
) throws(Mismatch) {
  guard condition else { throw Mismatch(message(), fileID: fileID, line: line) }
}

/// Verifies that two values are equal.
package func verifyEqual<Value: Equatable>(
  _ actual: Value, _ expected: Value, _ subject: @autoclosure () -> String,
  fileID: StaticString = #fileID, line: UInt = #line
) throws(Mismatch) {
  guard actual != expected else { return }
  throw Mismatch(
    "\(subject()) is \(actual), expected \(expected)", fileID: fileID, line: line)
}
