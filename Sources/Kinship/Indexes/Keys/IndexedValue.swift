#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value by which an ordered index finds records.
///
/// The standard library's numbers, texts and `Bool` are such values, and so are `Date`, `UUID`,
/// refs and optionals of them. A `Comparable` type of your own becomes one by saying so:
///
/// ```swift
/// extension Rating: IndexedValue {}
/// ```
///
/// Values are compared while the cache is locked: their `<` and `==` must not use the cache.
public protocol IndexedValue: Hashable, Sendable {
  /// Where a value stands to another in the order in which queries sort.
  ///
  /// - Parameters:
  ///   - left: A value.
  ///   - right: Another value.
  /// - Returns: Where the first stands.
  static func precedence(of left: Self, to right: Self) -> Precedence

  /// Whether it is equal to itself, and all values that are equal to it stand where it does.
  ///
  /// So it is of all values but those that are none, and texts that Unicode can write in several
  /// ways, which are equal and have other bytes.
  var isCanonical: Bool { get }
}

extension IndexedValue {
  /// `true`.
  @inlinable public var isCanonical: Bool { true }
}

extension IndexedValue where Self: Comparable {
  /// Where a value stands to another by `<`; a number that is none comes before any other, and
  /// texts are compared by their bytes.
  ///
  /// - Parameters:
  ///   - left: A value.
  ///   - right: Another value.
  /// - Returns: Where the first stands.
  @inlinable
  public static func precedence(of left: Self, to right: Self) -> Precedence {
    Precedence(of: left, to: right)
  }

  /// Whether it is equal to itself.
  @inlinable public var isCanonical: Bool { self == self }
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
  /// `false` comes before `true`.
  ///
  /// - Parameters:
  ///   - left: A value.
  ///   - right: Another value.
  /// - Returns: Where the first stands.
  @inlinable
  public static func precedence(of left: Bool, to right: Bool) -> Precedence {
    left == right ? .same : right ? .before : .after
  }
}

extension String: IndexedValue {
  /// Whether no other text is equal to it: for certain, it is written as Unicode composes it, in
  /// normalization form C.
  ///
  /// - Complexity: O(*n*) in the text.
  public var isCanonical: Bool {
    unicodeScalars.allSatisfy { scalar in
      // Below, all are composed. Marks, the vowels and final consonants of Hangul, and two vowels
      // of Kirat Rai may be composed with what is before them.
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
  /// `nil` comes before any value.
  ///
  /// - Parameters:
  ///   - left: A value.
  ///   - right: Another value.
  /// - Returns: Where the first stands.
  @inlinable
  public static func precedence(of left: Wrapped?, to right: Wrapped?) -> Precedence {
    switch (left, right) {
    case (let left?, let right?): Wrapped.precedence(of: left, to: right)
    case (nil, nil): .same
    case (nil, _): .before
    case (_, nil): .after
    }
  }

  /// What the value says; `true` for `nil`.
  @inlinable public var isCanonical: Bool { self?.isCanonical ?? true }
}
