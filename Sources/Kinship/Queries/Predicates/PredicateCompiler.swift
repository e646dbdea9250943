#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Makes of a predicate a test that looks through records by the page.
///
/// 1. Comparisons of a stored property with a constant read the property at its offset, in code
///    that is specialised for the standard library's types.
/// 2. Expressions of which that cannot be said are evaluated in a ``Scope``.
/// 3. What Kinship does not know at all, Foundation evaluates.
///
/// Conjunctions, disjunctions and negations are taken apart: each of their parts is compiled as
/// well as it can be.
struct PredicateCompiler<R> {
  private let variable: PredicateExpressions.Variable<R>

  static func compile(_ predicate: Predicate<R>) -> PageTest {
    let compiler = PredicateCompiler(variable: predicate.variable)
    return compiler.test(predicate.expression)
  }

  /// The test that an expression comes to.
  func test<E: StandardPredicateExpression<Bool>>(_ expression: E) -> PageTest {
    if let isTrue = constant(expression) { return isTrue ? .all : .all.negated }
    if let scanned = expression as? any ScannedExpression, let test = scanned.scan(self) {
      return test
    }
    let variable = variable
    if let scoped = expression as? any ScopedExpression<Bool> {
      return PageTest(record: R.self) { try scoped.value(in: Scope(variable, $0)) }
    }
    return PageTest(record: R.self) {
      try expression.evaluate(PredicateBindings((variable, $0.pointee)))
    }
  }

  /// What an expression comes to if it is the same for all records.
  func constant<E: PredicateExpression>(_ expression: E) -> E.Output? {
    guard let scoped = expression as? any ScopedExpression<E.Output> else { return nil }
    // No variable is known: what needs one has no value.
    let nothing = PredicateExpressions.Variable<Void>()
    return withUnsafePointer(to: ()) { try? scoped.value(in: Scope(nothing, $0)) }
  }

  /// Where in a record lies what an expression comes to; `nil` if it does not lie there.
  func offset<E: PredicateExpression>(of expression: E) -> Int? {
    (expression as? any StoredExpression)?.offset(in: variable.key)
  }
}

/// An expression that may lie in the record as it is.
protocol StoredExpression {
  /// Where in a variable's value it lies, if it does.
  func offset(in variable: PredicateExpressions.VariableID) -> Int?
}

extension PredicateExpressions.Variable: StoredExpression {
  func offset(in variable: PredicateExpressions.VariableID) -> Int? { key == variable ? 0 : nil }
}

extension PredicateExpressions.KeyPath: StoredExpression {
  func offset(in variable: PredicateExpressions.VariableID) -> Int? {
    guard let root = (root as? any StoredExpression)?.offset(in: variable),
      let offset = MemoryLayout<Root.Output>.offset(of: keyPath)
    else { return nil }
    return root + offset
  }
}

/// A stored property, or a constant where that is `nil`.
private protocol CoalescedExpression {
  func parts<R>(_ compiler: PredicateCompiler<R>) -> (offset: Int, substitute: Any)?
}

extension PredicateExpressions.NilCoalesce: CoalescedExpression {
  fileprivate func parts<R>(
    _ compiler: PredicateCompiler<R>
  ) -> (offset: Int, substitute: Any)? {
    guard let offset = compiler.offset(of: lhs), let substitute = compiler.constant(rhs) else {
      return nil
    }
    return (offset, substitute)
  }
}

/// An expression for which there may be a test that looks through records by the page.
protocol ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> PageTest?
}

extension PredicateExpressions.Conjunction: ScannedExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> PageTest? {
    compiler.test(lhs).and(compiler.test(rhs))
  }
}

extension PredicateExpressions.Disjunction: ScannedExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> PageTest? {
    compiler.test(lhs).or(compiler.test(rhs))
  }
}

extension PredicateExpressions.Negation: ScannedExpression
where Wrapped: StandardPredicateExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> PageTest? {
    compiler.test(wrapped).negated
  }
}

extension PredicateExpressions.KeyPath: ScannedExpression where Output == Bool {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> PageTest? {
    compiler.offset(of: self).flatMap { Bool.equality(at: $0, with: true) }
  }
}

extension PredicateExpressions.Equal: ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> PageTest? {
    compiler.equality(lhs, rhs) ?? compiler.equality(rhs, lhs)
  }
}

extension PredicateExpressions.NotEqual: ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> PageTest? {
    (compiler.equality(lhs, rhs) ?? compiler.equality(rhs, lhs))?.negated
  }
}

extension PredicateExpressions.Comparison: ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> PageTest? {
    let comparison: ScanComparison
    switch op {
    case .lessThan: comparison = .less
    case .lessThanOrEqual: comparison = .lessOrEqual
    case .greaterThan: comparison = .greater
    case .greaterThanOrEqual: comparison = .greaterOrEqual
    @unknown default: return nil
    }
    return compiler.comparison(lhs, comparison, rhs)
      ?? compiler.comparison(rhs, comparison.mirrored, lhs)
  }
}

extension PredicateExpressions.RangeExpressionContains: ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> PageTest? {
    guard let range = compiler.constant(range), let offset = compiler.offset(of: element) else {
      return nil
    }
    return (range as? any ScannedRange)?.scan(at: offset)
  }
}

extension PredicateExpressions.SequenceContains: ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> PageTest? {
    guard let type = RHS.Output.self as? any ScannedValue.Type,
      let values = compiler.constant(sequence), let offset = compiler.offset(of: element)
    else { return nil }
    func open<Value: ScannedValue>(_ type: Value.Type) -> PageTest? {
      let list = values.compactMap { $0 as? Value }
      return Value.membership(at: offset, in: list)
    }
    return open(type)
  }
}

extension PredicateCompiler {
  // Which type it is, is asked of the type: a cast of a value would look into optionals.

  fileprivate func equality<Stored: PredicateExpression, Other: PredicateExpression>(
    _ stored: Stored, _ other: Other
  ) -> PageTest? where Stored.Output == Other.Output {
    guard let offset = offset(of: stored), let value = constant(other) else { return nil }
    func scan<Value: ScannedValue>(_ type: Value.Type) -> PageTest? {
      (value as? Value).flatMap { Value.equality(at: offset, with: $0) }
    }
    func scanOptional<Value: ScannedOptional>(_ type: Value.Type) -> PageTest? {
      (value as? Value).flatMap { Value.equality(at: offset, with: $0) }
    }
    if let type = Stored.Output.self as? any ScannedValue.Type { return scan(type) }
    if let type = Stored.Output.self as? any ScannedOptional.Type { return scanOptional(type) }
    return nil
  }

  fileprivate func comparison<Stored: PredicateExpression, Other: PredicateExpression>(
    _ stored: Stored, _ comparison: ScanComparison, _ other: Other
  ) -> PageTest? where Stored.Output == Other.Output {
    guard let type = Stored.Output.self as? any OrderedScannedValue.Type,
      let value = constant(other)
    else { return nil }
    func open<Value: OrderedScannedValue>(_ type: Value.Type) -> PageTest? {
      guard let value = value as? Value else { return nil }
      if let offset = offset(of: stored) {
        return Value.comparison(comparison, at: offset, with: value)
      }
      // What stands for `nil` passes or does not, whichever record it is.
      guard let coalesced = stored as? any CoalescedExpression,
        let (offset, substitute) = coalesced.parts(self), let substitute = substitute as? Value
      else { return nil }
      return Value.optionalComparison(
        comparison, at: offset, with: value,
        passesNil: comparison.holds(for: substitute, value))
    }
    return open(type)
  }
}

extension OrderedScannedValue {
  fileprivate func comparison(_ comparison: ScanComparison, at offset: Int) -> PageTest {
    Self.comparison(comparison, at: offset, with: self)
  }
}

extension PredicateExpressions.CollectionContainsCollection: ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> PageTest? {
    compiler.text(base, other) { text, pattern in pattern.isContained(in: text) }
  }
}

extension PredicateExpressions.SequenceStartsWith: ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> PageTest? {
    compiler.text(base, prefix) { text, pattern in pattern.isPrefix(of: text) }
  }
}

extension PredicateCompiler {
  fileprivate func text<Stored: PredicateExpression, Other: PredicateExpression>(
    _ stored: Stored, _ other: Other, _ isPassing: @escaping @Sendable (String, TextPattern) -> Bool
  ) -> PageTest? {
    guard Stored.Output.self == String.self, let offset = offset(of: stored),
      let pattern = constant(other) as? String
    else { return nil }
    let text = TextPattern(pattern)
    return PageTest(at: offset, String.self) { isPassing($0.pointee, text) }
  }
}

/// A range whose bounds may be of a type of which a page is compared at once.
private protocol ScannedRange {
  func scan(at offset: Int) -> PageTest?
}

extension Range: ScannedRange {
  fileprivate func scan(at offset: Int) -> PageTest? {
    guard let lower = lowerBound as? any OrderedScannedValue,
      let upper = upperBound as? any OrderedScannedValue
    else { return nil }
    return lower.comparison(.greaterOrEqual, at: offset)
      .and(upper.comparison(.less, at: offset))
  }
}

extension ClosedRange: ScannedRange {
  fileprivate func scan(at offset: Int) -> PageTest? {
    guard let lower = lowerBound as? any OrderedScannedValue,
      let upper = upperBound as? any OrderedScannedValue
    else { return nil }
    return lower.comparison(.greaterOrEqual, at: offset)
      .and(upper.comparison(.lessOrEqual, at: offset))
  }
}
