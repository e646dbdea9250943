#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PredicateExpressions.Arithmetic: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    let (left, right) = (try lhs.value(in: scope), try rhs.value(in: scope))
    if let left = left as? any FixedWidthInteger { return try left.result(op, right) }
    return switch op {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    @unknown default: throw PredicateError.invalidInput
    }
  }
}

extension FixedWidthInteger {
  fileprivate func result<Number>(
    _ operation: PredicateExpressions.ArithmeticOperator, _ other: Number
  ) throws -> Number {
    guard let right = other as? Self else { throw PredicateError.invalidInput }
    let (sign, (result, overflows)) =
      switch operation {
      case .add: ("+", addingReportingOverflow(right))
      case .subtract: ("-", subtractingReportingOverflow(right))
      case .multiply: ("*", multipliedReportingOverflow(by: right))
      @unknown default: throw PredicateError.invalidInput
      }
    guard !overflows, let result = result as? Number else {
      throw ArithmeticFailure.overflow("\(self) \(sign) \(right)")
    }
    return result
  }
}

extension PredicateExpressions.UnaryMinus: ScopedExpression where Wrapped: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    let value = try wrapped.value(in: scope)
    if let number = value as? any FixedWidthInteger, number.isSmallest {
      throw ArithmeticFailure.overflow("-(\(number))")
    }
    return -value
  }
}

extension FixedWidthInteger {
  fileprivate var isSmallest: Bool { self == .min }
}

extension PredicateExpressions.IntDivision: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    let (left, right) = (try lhs.value(in: scope), try rhs.value(in: scope))
    try checkDivision(left, "/", right)
    return left / right
  }
}

extension PredicateExpressions.IntRemainder: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    let (left, right) = (try lhs.value(in: scope), try rhs.value(in: scope))
    try checkDivision(left, "%", right)
    return left % right
  }
}

private func checkDivision<Number: BinaryInteger>(
  _ left: Number, _ sign: String, _ right: Number
) throws {
  if right == 0 { throw ArithmeticFailure.divisionByZero("\(left) \(sign) \(right)") }
  if Number.isSigned, right == -1, let left = left as? any FixedWidthInteger, left.isSmallest {
    throw ArithmeticFailure.overflow("\(left) \(sign) \(right)")
  }
}

extension PredicateExpressions.FloatDivision: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    try lhs.value(in: scope) / rhs.value(in: scope)
  }
}
