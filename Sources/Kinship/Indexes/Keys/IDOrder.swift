#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The order of ids, which sorts records that are equal in all sort terms of a query.
///
/// Ids of the standard library's types have their own order, and texts that of their bytes. Ids of
/// other types have the order of their raw values, or of their stored properties, the first one
/// first, even if they have an order of their own, which a store cannot know.
@usableFromInline
package enum IDOrder {
  /// Returns whether a store that keeps values of a type separately sorts them in the same order.
  package static func isStored(_ type: Any.Type) -> Bool {
    switch type {
    case is Int.Type, is Int8.Type, is Int16.Type, is Int32.Type, is Int64.Type, is UInt.Type,
      is UInt8.Type, is UInt16.Type, is UInt32.Type, is UInt64.Type, is String.Type,
      is Double.Type, is Float.Type, is Date.Type, is UUID.Type:
      true
    default: false
    }
  }

  /// Returns whether a store that keeps ids in a column sorts them in the same order.
  package static func isStoredAlone(_ type: Any.Type) -> Bool {
    func isStoredRaw<Raw: RawRepresentable>(_ type: Raw.Type) -> Bool {
      isStored(Raw.RawValue.self)
    }
    if let type = type as? any RawRepresentable.Type { return isStoredRaw(type) }
    return isStored(type)
  }

  /// Compares two ids.
  ///
  /// - Complexity: O(1) for integers, texts and UUIDs; others are inspected by reflection, which
  ///   takes microseconds.
  @inlinable
  static func precedence<ID: Hashable>(of left: ID, to right: ID) -> Precedence {
    // Check the type: the compiler knows the answer if it knows the type.
    if ID.self == Int.self, let left = left as? Int, let right = right as? Int {
      return Precedence(of: left, to: right)
    }
    if ID.self == String.self, let left = left as? String, let right = right as? String {
      return .ofBytes(left, right)
    }
    return precedenceOfOthers(left, right)
  }

  @usableFromInline
  static func precedenceOfOthers<ID: Hashable>(_ left: ID, _ right: ID) -> Precedence {
    if let left = left as? UUID, let right = right as? UUID {
      return Precedence(of: left, to: right)
    }
    let (left, right) = (Part.all(of: left), Part.all(of: right))
    for (left, right) in zip(left, right) {
      let precedence = left.precedence(to: right)
      if precedence != .same { return precedence }
    }
    return Precedence(of: left.count, to: right.count)
  }

  /// A part of an id.
  private enum Part {
    case none
    case integer(Int128)
    case number(Double)
    case text(String)

    static func all(of value: Any) -> [Part] {
      switch value {
      case let text as String: return [.text(text)]
      case let uuid as UUID: return [.text(uuid.uuidString)]
      case let date as Date: return [.number(date.timeIntervalSinceReferenceDate)]
      case let bool as Bool: return [.integer(bool ? 1 : 0)]
      case let integer as any BinaryInteger: return [.integer(Int128(clamping: integer))]
      case let number as any BinaryFloatingPoint: return [.number(Double(number))]
      case let raw as any RawRepresentable: return all(of: raw.rawValue)
      default: break
      }
      let mirror = Mirror(reflecting: value)
      if mirror.children.isEmpty {
        return mirror.displayStyle == .optional ? [.none] : [.text(String(describing: value))]
      }
      let isEnum = mirror.displayStyle == .enum
      return mirror.children.flatMap { child in
        (isEnum ? [.text(child.label ?? "")] : []) + all(of: child.value)
      }
    }

    private var rank: Int {
      switch self {
      case .none: 0
      case .integer: 1
      case .number: 2
      case .text: 3
      }
    }

    func precedence(to other: Part) -> Precedence {
      switch (self, other) {
      case (.integer(let left), .integer(let right)): Precedence(of: left, to: right)
      case (.number(let left), .number(let right)): Precedence(of: left, to: right)
      case (.text(let left), .text(let right)): .ofBytes(left, right)
      default: Precedence(of: rank, to: other.rank)
      }
    }
  }
}
