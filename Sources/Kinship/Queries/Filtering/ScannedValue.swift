#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A type whose values can be scanned a page of records at a time.
///
/// Each conformance is a witness that the compiler specialises for its type: so a comparison takes
/// about a nanosecond.
protocol ScannedValue: Hashable, Sendable {
  /// Returns a test of the values at an offset, which `isOptional` if they are optionals of the
  /// type; `nil` if a scan cannot decide.
  static func test(
    _ condition: ScannedCondition<Self>, at offset: Int, isOptional: Bool
  ) -> PageTest?
}

/// A condition on a value, or on an optional.
enum ScannedCondition<Value: Hashable & Sendable>: Sendable {
  /// It equals a value, or is `nil`.
  case equal(Value?)
  /// It is one of some values, and not `nil`.
  case isOne([Value])

  /// Returns the condition on a part of the value that determines it.
  func map<Part>(_ part: (Value) -> Part) -> ScannedCondition<Part> {
    switch self {
    case .equal(let value): .equal(value.map(part))
    case .isOne(let values): .isOne(values.map(part))
    }
  }

  /// Returns a test of the values at an offset; `nil` if a scan cannot decide.
  func test(at offset: Int, isOptional: Bool) -> PageTest? {
    func open<Scanned: ScannedValue>(_ type: Scanned.Type) -> PageTest? {
      let condition = checked(self, as: ScannedCondition<Scanned>.self)
      return type.test(condition, at: offset, isOptional: isOptional)
    }
    return (Value.self as? any ScannedValue.Type).flatMap { open($0) }
  }
}

extension ScannedValue {
  static func test(
    _ condition: ScannedCondition<Self>, at offset: Int, isOptional: Bool
  ) -> PageTest? {
    switch condition {
    case .equal(nil): return PageTest(at: offset, Self?.self) { $0.pointee == nil }
    case .equal(let value?):
      return isOptional
        ? PageTest(at: offset, Self?.self) { $0.pointee == value }
        : PageTest(at: offset, Self.self) { $0.pointee == value }
    case .isOne(let values):
      // NaN is equal to nothing, and in no set.
      let values = Set(values)
      return isOptional
        ? PageTest(at: offset, Self?.self) { $0.pointee.map(values.contains) ?? false }
        : PageTest(at: offset, Self.self) { values.contains($0.pointee) }
    }
  }
}

/// A type whose values can be compared a page of records at a time.
protocol OrderedScannedValue: ScannedValue, Comparable {
  /// Returns a test of the values at an offset; if they are optionals, `passesNil` says whether
  /// `nil` passes.
  static func comparison(
    _ relation: FilterCondition.Relation, at offset: Int, with value: Self, passesNil: Bool?
  ) -> PageTest

  /// Returns the position of a value in memory relative to another.
  static func precedence(of left: UnsafeRawPointer, to right: UnsafeRawPointer) -> Precedence

  /// Returns words of some of the values that lie in memory at a distance from each other.
  static func words(
    of values: UnsafeRawPointer, stride: Int, _ numbers: ArraySlice<Int>, _ form: SortWord.Form
  ) -> [SortWord]?
}

extension FilterCondition.Relation {
  func holds<Value: Comparable>(for left: Value, _ right: Value) -> Bool {
    switch self {
    case .equal: left == right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }

  /// The same with both sides exchanged.
  var mirrored: Self {
    switch self {
    case .equal: .equal
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}

extension OrderedScannedValue {
  static func precedence(of left: UnsafeRawPointer, to right: UnsafeRawPointer) -> Precedence {
    Precedence(of: left.load(as: Self.self), to: right.load(as: Self.self))
  }

  static func words(
    of values: UnsafeRawPointer, stride: Int, _ numbers: ArraySlice<Int>, _ form: SortWord.Form
  ) -> [SortWord]? {
    SortWord.list(numbers) {
      TypedSortKey(value: (values + $0 * stride).load(as: Self.self)).word(form)
    }
  }

  static func comparison(
    _ relation: FilterCondition.Relation, at offset: Int, with value: Self, passesNil: Bool?
  ) -> PageTest {
    if let passesNil {
      return PageTest(at: offset, Self?.self) { stored in
        guard let stored = stored.pointee else { return passesNil }
        return relation.holds(for: stored, value)
      }
    }
    return switch relation {
    case .equal: PageTest(at: offset, Self.self) { $0.pointee == value }
    case .less: PageTest(at: offset, Self.self) { $0.pointee < value }
    case .lessOrEqual: PageTest(at: offset, Self.self) { $0.pointee <= value }
    case .greater: PageTest(at: offset, Self.self) { $0.pointee > value }
    case .greaterOrEqual: PageTest(at: offset, Self.self) { $0.pointee >= value }
    }
  }
}

extension Int: OrderedScannedValue {}
extension Int8: OrderedScannedValue {}
extension Int16: OrderedScannedValue {}
extension Int32: OrderedScannedValue {}
extension Int64: OrderedScannedValue {}
extension UInt: OrderedScannedValue {}
extension UInt8: OrderedScannedValue {}
extension UInt16: OrderedScannedValue {}
extension UInt32: OrderedScannedValue {}
extension UInt64: OrderedScannedValue {}
extension Double: OrderedScannedValue {}
extension Float: OrderedScannedValue {}
extension String: OrderedScannedValue {}
extension Character: OrderedScannedValue {}
extension Date: OrderedScannedValue {}
extension UUID: OrderedScannedValue {}
extension Bool: ScannedValue {}

// A ref is its id, and has the same layout in memory.

extension Ref: ScannedValue {
  static func test(
    _ condition: ScannedCondition<Ref>, at offset: Int, isOptional: Bool
  ) -> PageTest? { condition.map { $0.id }.test(at: offset, isOptional: isOptional) }
}

/// Returns whether a type, unlike a ref of a program's own ids, is one of the standard library's.
func isPlainType(_ type: Any.Type) -> Bool {
  type is any OrderedScannedValue.Type || type == Bool.self
}
