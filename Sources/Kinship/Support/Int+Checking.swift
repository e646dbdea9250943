extension Int {
  /// Returns the number, and ends the program if a caller passed one that is too small.
  package func checked(atLeast least: Int, _ name: StaticString) -> Int {
    precondition(
      self >= least,
      "`\(name)` must be at least \(least), not \(self). Check the number before you pass it.")
    return self
  }
}
