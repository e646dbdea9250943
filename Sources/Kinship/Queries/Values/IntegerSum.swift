/// Integers added up exactly, in 128 bits.
struct IntegerSum {
  private var sum: Int128 = 0
  private var count = 0

  /// Adds up values, each multiplied by its count; `nil` beyond 128 bits.
  init?<Value: BinaryInteger & Hashable>(_ counts: [Value: Int]) {
    for (value, count) in counts {
      guard let value = Int128(exactly: value) else { return nil }
      let product = value.multipliedReportingOverflow(by: Int128(count))
      let total = sum.addingReportingOverflow(product.partialValue)
      let number = self.count.addingReportingOverflow(count)
      if product.overflow || total.overflow || number.overflow { return nil }
      sum = total.partialValue
      self.count = number.partialValue
    }
  }

  /// The sum; `nil` if the type does not hold it.
  func value<Value: BinaryInteger>(as type: Value.Type) -> Value? { Value(exactly: sum) }

  /// The number nearest to the sum divided by the count; `nil` if nothing was added.
  var average: Double? {
    if count <= 0 || sum == 0 { return count > 0 ? 0 : nil }
    // Shift so far to the left that the quotient has more bits than a `Double`: the lost part says
    // only on which side of a tie the value is, and one bit is enough for that.
    let shift = sum.magnitude.leadingZeroBitCount
    let (quotient, rest) = (sum.magnitude << shift).quotientAndRemainder(dividingBy: UInt128(count))
    return Double(
      sign: sum < 0 ? .minus : .plus, exponent: -shift,
      significand: Double(rest == 0 ? quotient : quotient | 1))
  }
}
