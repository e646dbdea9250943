#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PredicateExpressions.Variable: ScopedExpression {
  func value(in scope: Scope) throws -> Output { try scope.pointer(to: self).pointee }

  // The whole is not copied.
  func property<Value>(_ path: Swift.KeyPath<Output, Value>, in scope: Scope) throws -> Value {
    try scope.pointer(to: self).pointee[keyPath: path]
  }
}

extension PredicateExpressions.KeyPath: ScopedExpression where Root: ScopedExpression {
  func value(in scope: Scope) throws -> Output { try root.property(keyPath, in: scope) }
}

extension PredicateExpressions.Value: ScopedExpression where Output: Codable {
  func value(in scope: Scope) -> Output { value }
}

extension PredicateExpressions.NilLiteral: ScopedExpression {
  func value(in scope: Scope) -> Output { nil }
}

extension PredicateExpressions.NilCoalesce: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    try lhs.value(in: scope) ?? rhs.value(in: scope)
  }
}

extension PredicateExpressions.ForcedUnwrap: ScopedExpression where Inner: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    guard let value = try inner.value(in: scope) else {
      throw PredicateError.forceUnwrapFailure
    }
    return value
  }
}

extension PredicateExpressions.OptionalFlatMap: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    guard let value = try wrapped.value(in: scope) else { return nil }
    // It comes to a result or to an optional one: its initializers allow nothing else.
    let result = try scope.with(value, as: variable) { try transform.value(in: $0) }
    return result as? Result? ?? nil
  }
}

extension PredicateExpressions.Conditional: ScopedExpression
where Test: ScopedExpression, If: ScopedExpression, Else: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    try test.value(in: scope) ? trueBranch.value(in: scope) : falseBranch.value(in: scope)
  }
}

extension PredicateExpressions.ConditionalCast: ScopedExpression where Input: ScopedExpression {
  func value(in scope: Scope) throws -> Output { try input.value(in: scope) as? Desired }
}

extension PredicateExpressions.ForceCast: ScopedExpression where Input: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    guard let value = try input.value(in: scope) as? Desired else {
      throw PredicateError.forceCastFailure
    }
    return value
  }
}

extension PredicateExpressions.TypeCheck: ScopedExpression where Input: ScopedExpression {
  func value(in scope: Scope) throws -> Bool { try input.value(in: scope) is Desired }
}
