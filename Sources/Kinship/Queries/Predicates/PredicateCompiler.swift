#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Compiles a predicate to a test that scans records a page at a time.
///
/// 1. Comparisons of a stored property with a constant read the property at its offset, in code
///    that is specialised for the standard library's types.
/// 2. Other expressions are evaluated in a ``Scope``.
/// 3. Foundation evaluates the expressions that Kinship does not know.
///
/// Conjunctions, disjunctions and negations are split: each part is compiled as well as possible.
struct PredicateCompiler<R> {
  private let variable: PredicateExpressions.Variable<R>

  static func compile(_ predicate: Predicate<R>) -> FilterTest {
    let compiler = PredicateCompiler(variable: predicate.variable)
    return compiler.test(predicate.expression)
  }

  /// Returns the test that an expression compiles to.
  func test<E: StandardPredicateExpression<Bool>>(_ expression: E) -> FilterTest {
    if let isTrue = constant(expression) { return .constant(isTrue) }
    if let scanned = expression as? any ScannedExpression, let test = scanned.scan(self) {
      return test
    }
    let variable = variable
    if let scoped = expression as? any ScopedExpression<Bool> {
      let test = PageTest(record: R.self) { try scoped.value(in: Scope(variable, $0)) }
      return scoped.isPlain(variable.key) ? FilterTest(scan: test) : FilterTest(test)
    }
    // Q4: Foundation evaluates the expressions that Kinship does not know.
    return FilterTest(
      PageTest(record: R.self) {
        try expression.evaluate(PredicateBindings((variable, $0.pointee)))
      })
  }

  /// Returns the value of an expression if it is the same for all records.
  func constant<E: PredicateExpression>(_ expression: E) -> E.Output? {
    guard let scoped = expression as? any ScopedExpression<E.Output> else { return nil }
    // No variable is bound: an expression that needs one has no value.
    let nothing = PredicateExpressions.Variable<Void>()
    return withUnsafePointer(to: ()) { try? scoped.value(in: Scope(nothing, $0)) }
  }

  /// Returns the property that an expression reads; `nil` if its value is not stored in a record.
  func property<E: PredicateExpression>(of expression: E) -> StoredProperty? {
    (expression as? any ScopedExpression)?.property(of: variable.key)
  }
}
