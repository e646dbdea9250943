#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A type whose values can be scanned a page of records at a time.
///
/// Each conformance is a witness that the compiler specialises for its type: so a comparison takes
/// about a nanosecond.
protocol ScannedValue: Sendable {
  /// Returns a test whether the value at an offset equals a value; `nil` if a scan cannot decide.
  static func equality(at offset: Int, with value: Self) -> PageTest?

  /// The same of an optional.
  static func optionalEquality(at offset: Int, with value: Self?) -> PageTest?

  /// Returns a test whether the value at an offset is one of some values.
  static func membership(at offset: Int, in values: [Self]) -> PageTest?

  /// The same of an optional; `nil` does not pass.
  static func optionalMembership(at offset: Int, in values: [Self]) -> PageTest?
}

extension ScannedValue where Self: Hashable {
  static func equality(at offset: Int, with value: Self) -> PageTest? {
    PageTest(at: offset, Self.self) { $0.pointee == value }
  }

  static func optionalEquality(at offset: Int, with value: Self?) -> PageTest? {
    guard let value else { return PageTest(at: offset, Self?.self) { $0.pointee == nil } }
    return PageTest(at: offset, Self?.self) { $0.pointee == value }
  }

  static func membership(at offset: Int, in values: [Self]) -> PageTest? {
    // NaN is equal to nothing, and in no set.
    let values = Set(values)
    return PageTest(at: offset, Self.self) { values.contains($0.pointee) }
  }

  static func optionalMembership(at offset: Int, in values: [Self]) -> PageTest? {
    let values = Set(values)
    return PageTest(at: offset, Self?.self) { $0.pointee.map(values.contains) ?? false }
  }
}

/// A type whose values can be compared a page of records at a time.
protocol OrderedScannedValue: ScannedValue, Comparable {
  static func comparison(
    _ relation: FilterCondition.Relation, at offset: Int, with value: Self
  ) -> PageTest?

  /// The same of an optional.
  static func optionalComparison(
    _ relation: FilterCondition.Relation, at offset: Int, with value: Self, passesNil: Bool
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
    _ relation: FilterCondition.Relation, at offset: Int, with value: Self
  ) -> PageTest? {
    switch relation {
    case .equal: equality(at: offset, with: value)
    case .less: PageTest(at: offset, Self.self) { $0.pointee < value }
    case .lessOrEqual: PageTest(at: offset, Self.self) { $0.pointee <= value }
    case .greater: PageTest(at: offset, Self.self) { $0.pointee > value }
    case .greaterOrEqual: PageTest(at: offset, Self.self) { $0.pointee >= value }
    }
  }

  static func optionalComparison(
    _ relation: FilterCondition.Relation, at offset: Int, with value: Self, passesNil: Bool
  ) -> PageTest {
    PageTest(at: offset, Self?.self) { stored in
      guard let stored = stored.pointee else { return passesNil }
      return relation.holds(for: stored, value)
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
  static func equality(at offset: Int, with value: Ref) -> PageTest? {
    guard let type = R.ID.self as? any ScannedValue.Type else { return nil }
    func open<ID: ScannedValue>(_ type: ID.Type) -> PageTest? {
      ID.equality(at: offset, with: checked(value.id, as: ID.self))
    }
    return open(type)
  }

  static func optionalEquality(at offset: Int, with value: Ref?) -> PageTest? {
    guard let type = R.ID.self as? any ScannedValue.Type else { return nil }
    func open<ID: ScannedValue>(_ type: ID.Type) -> PageTest? {
      ID.optionalEquality(at: offset, with: value.map { checked($0.id, as: ID.self) })
    }
    return open(type)
  }

  static func membership(at offset: Int, in values: [Ref]) -> PageTest? {
    guard let type = R.ID.self as? any ScannedValue.Type else { return nil }
    func open<ID: ScannedValue>(_ type: ID.Type) -> PageTest? {
      ID.membership(at: offset, in: values.map { checked($0.id, as: ID.self) })
    }
    return open(type)
  }

  static func optionalMembership(at offset: Int, in values: [Ref]) -> PageTest? {
    guard let type = R.ID.self as? any ScannedValue.Type else { return nil }
    func open<ID: ScannedValue>(_ type: ID.Type) -> PageTest? {
      ID.optionalMembership(at: offset, in: values.map { checked($0.id, as: ID.self) })
    }
    return open(type)
  }
}

/// An optional that may be scanned a page of records at a time.
protocol ScannedOptional {
  static func equality(of property: StoredProperty, with value: Self) -> FilterTest?

  /// Whether it wraps a type of the standard library.
  static var isPlain: Bool { get }
}

/// Returns whether a type, unlike a ref of a program's own ids, is one of the standard library's.
func isPlainType(_ type: Any.Type) -> Bool {
  type is any OrderedScannedValue.Type || type == Bool.self
}

extension Optional: ScannedOptional {
  static var isPlain: Bool { isPlainType(Wrapped.self) }

  static func equality(of property: StoredProperty, with value: Wrapped?) -> FilterTest? {
    guard let type = Wrapped.self as? any ScannedValue.Type else { return nil }
    func open<Value: ScannedValue>(_ type: Value.Type) -> FilterTest? {
      let value = value.flatMap { $0 as? Value }
      return Value.optionalEquality(at: property.offset, with: value).map { test in
        let condition = property.condition { path in
          value.map { .compare(path, .equal, $0) } ?? .isNil(path)
        }
        return FilterTest(scan: test, condition)
      }
    }
    return open(type)
  }
}
