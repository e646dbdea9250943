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
