extension Int {
  /// Returns the number, and ends the program if a caller passed one that is too small.
  ///
  /// - Parameters:
  ///   - least: The smallest number that makes sense.
  ///   - name: The name of the parameter.
  /// - Returns: The number.
  package func checked(atLeast least: Int, _ name: StaticString) -> Int {
    precondition(self >= least, "\(name) must be at least \(least), not \(self)")
    return self
  }
}
