#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A filter's condition as a tree that a store can read and translate.
///
/// ``RecordFilter/condition`` returns it. `#Predicate` expressions are translated as long as their
/// meaning can be kept; everything else is ``opaque``.
///
/// ```swift
/// func text(_ condition: FilterCondition) -> String? {
///   switch condition {
///   case .compare(let property, .equal, let value):
///     return "\(property.name)=\(FilterCondition.stored(value))"
///   case .compare(let property, .greater, let value):
///     return "\(property.name)>\(FilterCondition.stored(value))"
///   case .and(let left, let right):
///     guard let left = text(left), let right = text(right) else { return nil }
///     return "\(left)&\(right)"
///   default: return nil
///   }
/// }
/// ```
///
/// A value of `nil` fulfils ``isNil(_:)`` and no other condition on its property. NaN is equal to
/// nothing, and neither less nor greater. Texts are equal, contain each other and begin with each
/// other by characters, as in Swift: Unicode can write a character in several ways.
public indirect enum FilterCondition: Sendable {
  /// The relation of a property's value to another value.
  public enum Relation: Hashable, Sendable, CaseIterable {
    /// The property is equal to the value.
    case equal
    /// The property is less than the value.
    case less
    /// The property is less than the value or equal to it.
    case lessOrEqual
    /// The property is greater than the value.
    case greater
    /// The property is greater than the value or equal to it.
    case greaterOrEqual
  }

  /// The relation of a text to another text.
  public enum TextRelation: Hashable, Sendable {
    /// The text contains the other.
    case contains
    /// The text begins with the other.
    case hasPrefix
  }

  /// A stored property of a record.
  public struct Property: Hashable, Sendable {
    /// The key path from the record to the property.
    public let keyPath: any AnyKeyPath & Sendable

    init(_ keyPath: any AnyKeyPath & Sendable) { self.keyPath = keyPath }

    /// The property's name, as it is declared.
    ///
    /// - Complexity: It is found by reflection, which takes microseconds.
    public var name: String { PropertyName.of(keyPath) }

    /// The key by which the record is coded; `nil` if the record's type is not `Codable`, or its
    /// coding cannot be tried with sample values.
    ///
    /// - Complexity: Some records are decoded, which takes microseconds for each property.
    public var codingKey: String? { CodingKeyProbe.key(of: keyPath) }

    /// Returns whether two properties have the same key path.
    ///
    /// - Parameters:
    ///   - left: A property.
    ///   - right: Another property.
    /// - Returns: Whether they are the same property.
    public static func == (left: Property, right: Property) -> Bool {
      left.keyPath as AnyKeyPath == right.keyPath
    }

    /// Hashes the key path.
    ///
    /// - Parameter hasher: The hasher to feed.
    public func hash(into hasher: inout Hasher) { hasher.combine(keyPath as AnyKeyPath) }
  }

  /// A condition on related records.
  public struct Related: Sendable {
    /// The property that refers from one record to the other.
    public let property: Property
    /// Whether the related records have the property, and refer to the filtered ones.
    public let isReferredTo: Bool
    /// The type of the related records.
    public let recordType: any GraphRecord.Type
    /// The condition on the related records.
    public let condition: FilterCondition
    /// A text that differs for other queries for related records, the same in any process.
    let text: String
  }

  /// Every record fulfils it, or none does.
  case constant(Bool)
  /// A property has a relation to a value of its type; a relationship's value is a ``Ref``.
  case compare(Property, Relation, any Sendable)
  /// An optional property is `nil`.
  case isNil(Property)
  /// A property is one of some values.
  case isOne(Property, of: [any Sendable])
  /// A list has at least one of some values.
  case hasOne(Property, of: [any Sendable])
  /// A list is empty.
  case isEmpty(Property)
  /// A text has a relation to another; both are folded first.
  case text(Property, TextRelation, String, ignoring: TextFolding)
  /// A condition on related records.
  ///
  /// A store never receives it: the cache queries the related records first.
  case related(Related)
  /// Both conditions are fulfilled.
  case and(FilterCondition, FilterCondition)
  /// At least one of the conditions is fulfilled.
  case or(FilterCondition, FilterCondition)
  /// The condition is not fulfilled.
  case not(FilterCondition)
  /// Only Swift code can evaluate the condition.
  case opaque

  /// Whether a store can evaluate all of the condition, because no part of it is ``opaque`` or
  /// ``related(_:)``.
  public var isReadable: Bool {
    switch self {
    case .opaque, .related: false
    case .and(let left, let right), .or(let left, let right): left.isReadable && right.isReadable
    case .not(let condition): condition.isReadable
    case .constant, .compare, .isNil, .isOne, .hasOne, .isEmpty, .text: true
    }
  }

  /// The known properties that the condition uses, each once.
  public var properties: [Property] {
    switch self {
    case .opaque, .constant, .related: []
    case .compare(let property, _, _), .isNil(let property), .isOne(let property, _),
      .hasOne(let property, _), .isEmpty(let property), .text(let property, _, _, _):
      [property]
    case .and(let left, let right), .or(let left, let right):
      left.properties + right.properties.filter { !left.properties.contains($0) }
    case .not(let condition): condition.properties
    }
  }

  /// Returns the id of a ref, and any other value unchanged, for stores that hold ids.
  ///
  /// - Parameter value: A value of a condition or of a ``SortPosition``.
  /// - Returns: The id, or the value.
  public static func stored(_ value: any Sendable) -> any Sendable {
    (value as? any StoredAsID)?.storedID ?? value
  }
}

/// A value that stores hold as an id.
private protocol StoredAsID {
  var storedID: any Sendable { get }
}

extension Ref: StoredAsID {
  fileprivate var storedID: any Sendable { id }
}

extension FilterCondition: CustomStringConvertible {
  /// The condition as text that has the same meaning in any process; opaque parts are `?`.
  public var description: String { text { Self.text($0) } }

  /// Returns the condition as text, with the values as `write` writes them.
  func text(_ write: (any Sendable) -> String) -> String {
    func list(_ values: [any Sendable]) -> String {
      // A set has another order in each process.
      "[\(values.map(write).sorted().joined(separator: ", "))]"
    }
    return switch self {
    case .opaque: "?"
    case .constant(let isTrue): "\(isTrue)"
    case .compare(let property, let relation, let value):
      "\(property.name) \(relation.sign) \(write(value))"
    case .isNil(let property): "\(property.name) is nil"
    case .isOne(let property, let values): "\(property.name) in \(list(values))"
    case .hasOne(let property, let values): "\(property.name) has one of \(list(values))"
    case .isEmpty(let property): "\(property.name) is empty"
    case .text(let property, let relation, let text, let folding):
      "\(property.name) \(relation) \(String(reflecting: text))"
        + (folding.isEmpty ? "" : " ignoring \(folding.rawValue)")
    case .related(let related): related.text
    case .and(let left, let right): "(\(left.text(write)) && \(right.text(write)))"
    case .or(let left, let right): "(\(left.text(write)) || \(right.text(write)))"
    case .not(let condition): "!(\(condition.text(write)))"
    }
  }
}

extension FilterCondition {
  /// Returns a value as text that differs for other values, and is the same in any process.
  static func text(_ value: any Sendable) -> String {
    // A date's own description has whole seconds, and there is none of some dates.
    String(reflecting: (value as? Date)?.timeIntervalSinceReferenceDate ?? value)
  }
}

extension FilterCondition.Relation {
  fileprivate var sign: String {
    switch self {
    case .equal: "=="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}
