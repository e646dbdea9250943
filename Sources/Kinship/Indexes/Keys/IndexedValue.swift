#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value by which an ordered index finds records.
///
/// The standard library's numbers, texts and `Bool` conform, and so do `Date`, `UUID`, refs and
/// optionals of them. To use a `Comparable` type of your own, declare the conformance:
///
/// ```swift
/// extension Rating: IndexedValue {}
/// ```
///
/// Values are compared while the cache is locked: their `<` and `==` must not use the cache.
public protocol IndexedValue: Hashable, Sendable {
  /// Compares two values in the order in which queries sort.
  ///
  /// - Parameters:
  ///   - left: A value.
  ///   - right: Another value.
  /// - Returns: The position of the first relative to the second.
  static func precedence(of left: Self, to right: Self) -> Precedence

  /// Whether it has a position, which all values that are equal to it share.
  ///
  /// That is so for all values of the standard library except texts that Unicode can write in
  /// several ways, which are equal and have different bytes.
  var hasOnePosition: Bool { get }
}

extension IndexedValue {
  /// The default: `true`.
  @inlinable public var hasOnePosition: Bool { true }
}

extension IndexedValue where Self: Comparable {
  /// Compares two values by `<`; NaN is before any other number, and texts are compared by their
  /// bytes.
  @inlinable
  public static func precedence(of left: Self, to right: Self) -> Precedence {
    Precedence(of: left, to: right)
  }

  /// Whether it is equal to itself.
  @inlinable public var hasOnePosition: Bool { self == self }
}

extension IndexedValue where Self: FloatingPoint {
  /// `true`: NaN is before any other number.
  @inlinable public var hasOnePosition: Bool { true }
}

extension Int: IndexedValue {}
extension Int8: IndexedValue {}
extension Int16: IndexedValue {}
extension Int32: IndexedValue {}
extension Int64: IndexedValue {}
extension UInt: IndexedValue {}
extension UInt8: IndexedValue {}
extension UInt16: IndexedValue {}
extension UInt32: IndexedValue {}
extension UInt64: IndexedValue {}
extension Double: IndexedValue {}
extension Float: IndexedValue {}
extension Date: IndexedValue {}
extension UUID: IndexedValue {}

extension Bool: IndexedValue {
  /// Compares two values: `false` is before `true`.
  @inlinable
  public static func precedence(of left: Bool, to right: Bool) -> Precedence {
    left == right ? .same : right ? .before : .after
  }
}

extension String: IndexedValue {
  /// Whether certainly no other text is equal to it, because it is in Unicode's normalization form
  /// C.
  ///
  /// - Complexity: O(*n*) in the text.
  public var hasOnePosition: Bool {
    unicodeScalars.allSatisfy { scalar in
      // Below, all are composed. Marks, the vowels and final consonants of Hangul, and two vowels
      // of Kirat Rai may be composed with the scalar before them.
      if scalar.value < 0x300 { return true }
      if scalar.properties.isFullCompositionExclusion { return false }
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark: return false
      default: return !(0x1100...0x11FF ~= scalar.value || 0x16D67...0x16D68 ~= scalar.value)
      }
    }
  }
}

extension Optional: IndexedValue where Wrapped: IndexedValue {
  /// Compares two values: `nil` is before any value.
  @inlinable
  public static func precedence(of left: Wrapped?, to right: Wrapped?) -> Precedence {
    switch (left, right) {
    case (let left?, let right?): Wrapped.precedence(of: left, to: right)
    case (nil, nil): .same
    case (nil, _): .before
    case (_, nil): .after
    }
  }

  /// Whether the value has one position; `true` for `nil`.
  @inlinable public var hasOnePosition: Bool { self?.hasOnePosition ?? true }
}
