#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The values of a predicate's variables at a moment: the address of the record, and of the
/// elements of lists that are scanned.
///
/// Foundation's own bindings are a dictionary into which each value is copied, which takes most of
/// the time of an evaluation.
struct Scope {
  private let variable: PredicateExpressions.VariableID
  private let value: UnsafeRawPointer
  private let outer: UnsafePointer<Scope>?

  init<Value>(
    _ variable: PredicateExpressions.Variable<Value>, _ value: UnsafePointer<Value>,
    outer: UnsafePointer<Scope>? = nil
  ) {
    self.variable = variable.key
    self.value = UnsafeRawPointer(value)
    self.outer = outer
  }

  /// Returns the address of a variable's value.
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
