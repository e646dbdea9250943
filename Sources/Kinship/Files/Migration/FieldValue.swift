#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The value of a stored record's field, independent of the type that wrote it.
public enum FieldValue: Hashable, Sendable {
  /// An explicit null.
  case null
  /// A Boolean value.
  case bool(Bool)
  /// A whole number of any size.
  case integer(Int128)
  /// A number with a fraction.
  case number(Double)
  /// A number with more digits than a `Double` has.
  case decimal(Decimal)
  /// A text.
  case text(String)
  /// Bytes, if the coder has a form for them; in JSON they are text.
  case data(Data)
  /// A UUID, if the coder has a form for it; in JSON it is text.
  case uuid(UUID)
  /// A list of values.
  case list([FieldValue])
  /// Values by name.
  case fields(RecordFields)
}

extension FieldValue {
  /// The field values that an id can have, in any encoding; `nil` if unknown.
  package static func all(of id: some Hashable) -> [FieldValue]? {
    switch id {
    case let id as any BinaryInteger: [.integer(Int128(truncatingIfNeeded: id))]
    case let id as String: [.text(id)]
    case let id as UUID: [.uuid(id), .text(id.uuidString)]
    default: nil
    }
  }

  /// Whether the value equals one of some values, or contains one.
  func holdsOne(of wanted: Set<FieldValue>) -> Bool {
    switch self {
    case .list(let list): list.contains { $0.holdsOne(of: wanted) }
    case .fields(let fields): fields.holdsOne(of: wanted)
    default: wanted.contains(self)
    }
  }

  /// The text, if the value is one.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The whole number, if the value is one and fits.
  public var int: Int? {
    if case .integer(let integer) = self { Int(exactly: integer) } else { nil }
  }

  /// The number, if the value is one, rounded to the nearest `Double`.
  public var double: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    case .decimal(let decimal): Double(decimal.description)
    default: nil
    }
  }

  /// The Boolean value, if the value is one.
  public var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// The list of values, if the value is one.
  public var list: [FieldValue]? {
    if case .list(let list) = self { list } else { nil }
  }

  /// The values by name, if the value has them.
  public var fields: RecordFields? {
    if case .fields(let fields) = self { fields } else { nil }
  }
}

extension FieldValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
  /// Creates a text.
  public init(stringLiteral value: String) { self = .text(value) }

  /// Creates a whole number.
  public init(integerLiteral value: Int) { self = .integer(Int128(value)) }

  /// Creates a number with a fraction.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// Creates a Boolean value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Creates a list.
  public init(arrayLiteral elements: FieldValue...) { self = .list(elements) }
}
