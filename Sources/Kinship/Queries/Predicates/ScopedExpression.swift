#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An expression of a predicate that is evaluated in a scope, with the same result as Foundation's
/// evaluation.
///
/// If numbers overflow or are divided by zero, it throws an error; Foundation stops the program.
///
/// Keep all conformances in the same file as the protocol, because only casts use them: a linker
/// takes from an archive only the objects whose symbols are named, and would leave out an object
/// that has conformances alone.
protocol ScopedExpression<Output>: StandardPredicateExpression {
  func value(in scope: Scope) throws -> Output

  /// Returns a property of its value.
  func property<Value>(_ path: KeyPath<Output, Value>, in scope: Scope) throws -> Value

  /// Returns the position of its value in a variable's value; `nil` if it is not stored there.
  func property(of variable: PredicateExpressions.VariableID) -> StoredProperty?

  /// Whether it computes with constants and stored properties of a variable's value, all of the
  /// standard library's types: then it runs no code of the records or of the user.
  func isPlain(_ variable: PredicateExpressions.VariableID) -> Bool

  /// The expressions whose values it computes with, if it runs only code of the standard library.
  var operands: [any ScopedExpression] { get }
}

extension ScopedExpression {
  func isPlain(_ variable: PredicateExpressions.VariableID) -> Bool {
    !operands.isEmpty && operands.allSatisfy { $0.isPlain(variable) }
  }

  var operands: [any ScopedExpression] { [] }

  func property(of variable: PredicateExpressions.VariableID) -> StoredProperty? { nil }

  fileprivate var hasPlainType: Bool {
    isPlainType((Output.self as? any ErasedOptional.Type)?.wrappedType ?? Output.self)
  }

  func property<Value>(_ path: KeyPath<Output, Value>, in scope: Scope) throws -> Value {
    try value(in: scope)[keyPath: path]
  }
}

// MARK: Values

extension PredicateExpressions.Variable: ScopedExpression {
  func value(in scope: Scope) throws -> Output { try scope.pointer(to: self).pointee }

  // This does not copy the whole value.
  func property<Value>(_ path: Swift.KeyPath<Output, Value>, in scope: Scope) throws -> Value {
    try scope.pointer(to: self).pointee[keyPath: path]
  }

  func property(of variable: PredicateExpressions.VariableID) -> StoredProperty? {
    key == variable ? StoredProperty(offset: 0, path: nil) : nil
  }
}

extension PredicateExpressions.KeyPath: ScopedExpression where Root: ScopedExpression {
  func value(in scope: Scope) throws -> Output { try root.property(keyPath, in: scope) }

  func property(of variable: PredicateExpressions.VariableID) -> StoredProperty? {
    guard let whole = root.property(of: variable),
      let offset = MemoryLayout<Root.Output>.offset(of: keyPath)
    else { return nil }
    return StoredProperty(
      offset: whole.offset + offset,
      path: root is PredicateExpressions.Variable<Root.Output> ? keyPath : nil)
  }

  func isPlain(_ variable: PredicateExpressions.VariableID) -> Bool {
    hasPlainType && property(of: variable) != nil
  }
}

extension PredicateExpressions.Value: ScopedExpression where Output: Codable {
  func value(in scope: Scope) -> Output { value }

  func isPlain(_ variable: PredicateExpressions.VariableID) -> Bool { hasPlainType }
}

extension PredicateExpressions.NilLiteral: ScopedExpression {
  func value(in scope: Scope) -> Output { nil }

  func isPlain(_ variable: PredicateExpressions.VariableID) -> Bool { hasPlainType }
}

extension PredicateExpressions.NilCoalesce: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    try lhs.value(in: scope) ?? rhs.value(in: scope)
  }

  var operands: [any ScopedExpression] { [lhs, rhs] }
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
    // The result is a value or an optional: its initializers allow nothing else.
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

// MARK: Logic

extension PredicateExpressions.Conjunction: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try lhs.value(in: scope) && rhs.value(in: scope)
  }

  var operands: [any ScopedExpression] { [lhs, rhs] }
}

extension PredicateExpressions.Disjunction: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try lhs.value(in: scope) || rhs.value(in: scope)
  }

  var operands: [any ScopedExpression] { [lhs, rhs] }
}

extension PredicateExpressions.Negation: ScopedExpression where Wrapped: ScopedExpression {
  func value(in scope: Scope) throws -> Bool { try !wrapped.value(in: scope) }

  var operands: [any ScopedExpression] { [wrapped] }
}

extension PredicateExpressions.Equal: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try lhs.value(in: scope) == rhs.value(in: scope)
  }

  var operands: [any ScopedExpression] { [lhs, rhs] }
}

extension PredicateExpressions.NotEqual: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try lhs.value(in: scope) != rhs.value(in: scope)
  }

  var operands: [any ScopedExpression] { [lhs, rhs] }
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

  var operands: [any ScopedExpression] { [lhs, rhs] }
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

// MARK: Collections

extension PredicateExpressions.SequenceContains: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try sequence.value(in: scope).contains(element.value(in: scope))
  }
}

extension PredicateExpressions.SequenceContainsWhere: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try sequence.value(in: scope).contains { element in
      try scope.with(element, as: variable) { try test.value(in: $0) }
    }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try sequence.value(in: scope).allSatisfy { element in
      try scope.with(element, as: variable) { try test.value(in: $0) }
    }
  }
}

extension PredicateExpressions.Filter: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    try sequence.value(in: scope).filter { element in
      try scope.with(element, as: variable) { try filter.value(in: $0) }
    }
  }
}

extension PredicateExpressions.SequenceStartsWith: ScopedExpression
where Base: ScopedExpression, Prefix: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try base.value(in: scope).starts(with: prefix.value(in: scope))
  }
}

extension PredicateExpressions.CollectionContainsCollection: ScopedExpression
where Base: ScopedExpression, Other: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try base.value(in: scope).contains(other.value(in: scope))
  }
}

extension PredicateExpressions.SequenceMinimum: ScopedExpression
where Elements: ScopedExpression {
  func value(in scope: Scope) throws -> Output { try elements.value(in: scope).min() }
}

extension PredicateExpressions.SequenceMaximum: ScopedExpression
where Elements: ScopedExpression {
  func value(in scope: Scope) throws -> Output { try elements.value(in: scope).max() }
}

extension PredicateExpressions.CollectionIndexSubscript: ScopedExpression
where Wrapped: ScopedExpression, Index: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    let (collection, index) = (try wrapped.value(in: scope), try index.value(in: scope))
    guard collection.startIndex <= index, index < collection.endIndex else {
      throw PredicateError.invalidInput
    }
    return collection[index]
  }
}

extension PredicateExpressions.DictionaryKeySubscript: ScopedExpression
where Wrapped: ScopedExpression, Key: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    try wrapped.value(in: scope)[key.value(in: scope)]
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: ScopedExpression
where Wrapped: ScopedExpression, Key: ScopedExpression, Default: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    let values = try wrapped.value(in: scope)
    return try values[key.value(in: scope)] ?? self.default.value(in: scope)
  }
}

// MARK: Arithmetic

/// The reason why an expression of a predicate has no value.
enum ArithmeticFailure: Error, CustomStringConvertible {
  case overflow(String)
  case divisionByZero(String)

  var description: String {
    switch self {
    case .overflow(let expression):
      "\(expression) exceeds the range of its type. Change the predicate or the value."
    case .divisionByZero(let expression):
      "\(expression) is a division by zero. Exclude zero in the predicate."
    }
  }
}

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

  var operands: [any ScopedExpression] { [lhs, rhs] }
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

  var operands: [any ScopedExpression] { [wrapped] }
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

  var operands: [any ScopedExpression] { [lhs, rhs] }
}

extension PredicateExpressions.IntRemainder: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    let (left, right) = (try lhs.value(in: scope), try rhs.value(in: scope))
    try checkDivision(left, "%", right)
    return left % right
  }

  var operands: [any ScopedExpression] { [lhs, rhs] }
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

  var operands: [any ScopedExpression] { [lhs, rhs] }
}
