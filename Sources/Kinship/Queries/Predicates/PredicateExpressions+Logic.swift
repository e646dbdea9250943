#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PredicateExpressions.Conjunction: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try lhs.value(in: scope) && rhs.value(in: scope)
  }
}

extension PredicateExpressions.Disjunction: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try lhs.value(in: scope) || rhs.value(in: scope)
  }
}

extension PredicateExpressions.Negation: ScopedExpression where Wrapped: ScopedExpression {
  func value(in scope: Scope) throws -> Bool { try !wrapped.value(in: scope) }
}

extension PredicateExpressions.Equal: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try lhs.value(in: scope) == rhs.value(in: scope)
  }
}

extension PredicateExpressions.NotEqual: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try lhs.value(in: scope) != rhs.value(in: scope)
  }
}

extension PredicateExpressions.Comparison: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    let (left, right) = (try lhs.value(in: scope), try rhs.value(in: scope))
    return switch op {
    case .lessThan: left < right
    case .lessThanOrEqual: left <= right
    case .greaterThan: left > right
    case .greaterThanOrEqual: left >= right
    @unknown default: throw PredicateError.invalidInput
    }
  }
}

extension PredicateExpressions.Range: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    let (lower, upper) = (try lower.value(in: scope), try upper.value(in: scope))
    guard lower <= upper else { throw PredicateError.invalidInput }
    return lower..<upper
  }
}

extension PredicateExpressions.ClosedRange: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    let (lower, upper) = (try lower.value(in: scope), try upper.value(in: scope))
    guard lower <= upper else { throw PredicateError.invalidInput }
    return lower...upper
  }
}

extension PredicateExpressions.RangeExpressionContains: ScopedExpression
where RangeExpression: ScopedExpression, Element: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try range.value(in: scope).contains(element.value(in: scope))
  }
}
