#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What the variables of a predicate stand for at a moment: where the record lies, and where the
/// elements lie of lists that are looked through.
///
/// Foundation's own bindings are a dictionary into which each value is copied, which takes most of
/// the time of an evaluation.
struct Scope {
  private let variable: PredicateExpressions.VariableID
  private let value: UnsafeRawPointer
  private let outer: UnsafePointer<Scope>?

  private init<Value>(
    _ variable: PredicateExpressions.Variable<Value>, _ value: UnsafePointer<Value>,
    outer: UnsafePointer<Scope>?
  ) {
    self.variable = variable.key
    self.value = UnsafeRawPointer(value)
    self.outer = outer
  }

  init<Value>(
    _ variable: PredicateExpressions.Variable<Value>, _ value: UnsafePointer<Value>
  ) {
    self.init(variable, value, outer: nil)
  }

  /// Where the value of a variable lies.
  func pointer<Value>(
    to variable: PredicateExpressions.Variable<Value>
  ) throws -> UnsafePointer<Value> {
    if variable.key == self.variable { return value.assumingMemoryBound(to: Value.self) }
    guard let outer else { throw PredicateError.undefinedVariable }
    return try outer.pointee.pointer(to: variable)
  }

  /// Calls a closure with one more variable.
  func with<Value, Result>(
    _ value: Value, as variable: PredicateExpressions.Variable<Value>,
    _ body: (Scope) throws -> Result
  ) rethrows -> Result {
    try withUnsafePointer(to: self) { outer in
      try withUnsafePointer(to: value) { try body(Scope(variable, $0, outer: outer)) }
    }
  }
}

/// An expression of a predicate that is evaluated in a scope, to what Foundation's evaluation comes
/// to.
///
/// Where Foundation stops the program, at numbers that overflow or are divided by zero, an error is
/// thrown.
protocol ScopedExpression<Output>: StandardPredicateExpression {
  func value(in scope: Scope) throws -> Output

  /// A property of what it comes to.
  func property<Value>(_ path: KeyPath<Output, Value>, in scope: Scope) throws -> Value
}

extension ScopedExpression {
  func property<Value>(_ path: KeyPath<Output, Value>, in scope: Scope) throws -> Value {
    try value(in: scope)[keyPath: path]
  }
}

/// Why an expression of a predicate has no value.
enum ArithmeticFailure: Error, CustomStringConvertible {
  case overflow(String)
  case divisionByZero(String)

  var description: String {
    switch self {
    case .overflow(let expression): "\(expression) is beyond the numbers of its type"
    case .divisionByZero(let expression): "\(expression) is a division by zero"
    }
  }
}
