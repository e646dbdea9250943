/// What one run of one system came to.
struct Sample {
  /// Nanoseconds an operation, or bytes a record, as the comparison's unit says.
  let value: Double
  let checks: [Check]

  init(value: Double, checks: [Check]) {
    self.value = value
    self.checks = checks
  }

  init(_ elapsed: Duration, operations: Int, checks: [Check]) {
    let (seconds, attoseconds) = elapsed.components
    let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) * 1e-9
    self.init(value: nanoseconds / Double(operations), checks: checks)
  }
}
