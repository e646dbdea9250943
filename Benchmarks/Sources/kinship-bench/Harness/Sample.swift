/// The result of one run of one system.
struct Sample {
  /// Nanoseconds an operation, or bytes a record, as the comparison's unit says.
  let value: Double
  let checks: [Check]
  /// All measurements, if the system reports quantiles.
  let measurements: [Double]
  let facts: [Fact]

  init(value: Double, checks: [Check], facts: [Fact] = []) {
    self.value = value
    self.checks = checks
    self.facts = facts
    measurements = [value]
  }

  init(measurements: [Double], checks: [Check], facts: [Fact] = []) {
    value = Quantiles(measurements).median
    self.measurements = measurements
    self.checks = checks
    self.facts = facts
  }

  init(_ elapsed: Duration, operations: Int, checks: [Check], facts: [Fact] = []) {
    let (seconds, attoseconds) = elapsed.components
    let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) * 1e-9
    self.init(value: nanoseconds / Double(operations), checks: checks, facts: facts)
  }
}
