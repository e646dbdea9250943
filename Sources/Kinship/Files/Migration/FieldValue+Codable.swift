#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension FieldValue: Codable {
  /// Decodes any value.
  ///
  /// - Parameter decoder: A decoder for a self-describing format, such as those of JSON and of
  ///   `CompactCoder`.
  /// - Throws: `DecodingError` if the value is none of the cases.
  public init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let value = Self.scalar(single, of: decoder) {
      self = value
    } else if let fields = try Self.fields(decoder) {
      self = .fields(fields)
    } else if let list = try Self.list(decoder) {
      self = .list(list)
    } else if let uuid = try? single.decode(UUID.self) {
      self = .uuid(uuid)
    } else {
      self = .data(try single.decode(Data.self))
    }
  }

  private static func scalar(
    _ single: any SingleValueDecodingContainer, of decoder: any Decoder
  ) -> FieldValue? {
    // The compact form distinguishes data and UUIDs from strings; in JSON they are strings.
    if decoder.isCompactString ?? true, let text = try? single.decode(String.self) {
      return .text(text)
    }
    if let number = try? single.decode(Double.self) {
      return self.number(number, single, of: decoder)
    }
    if let integer = Self.integer(single) { return .integer(integer) }
    if let bool = try? single.decode(Bool.self) { return .bool(bool) }
    return nil
  }

  /// The most exact value for a number that is a `Double`, and may be rounded.
  private static func number(
    _ number: Double, _ single: any SingleValueDecodingContainer, of decoder: any Decoder
  ) -> FieldValue {
    let isZeroWithSign = number == 0 && number.sign == .minus
    // An integer beyond 64 bits would be written with all its digits, 1e+20 with 21.
    let isLarge =
      number.magnitude >= 0x1p64 && decoder.isCompactFloatingPoint == true
    if !isZeroWithSign, !isLarge, let integer = Self.integer(single) { return .integer(integer) }
    if let decimal = try? single.decode(Decimal.self), decimal.isFinite,
      decimal != Decimal(string: "\(number)")
    {
      return .decimal(decimal)
    }
    return .number(number)
  }

  private static func integer(_ single: any SingleValueDecodingContainer) -> Int128? {
    if let integer = try? single.decode(Int64.self) { return Int128(integer) }
    if let integer = try? single.decode(UInt64.self) { return Int128(integer) }
    return try? single.decode(Int128.self)
  }

  private static func fields(_ decoder: any Decoder) throws -> RecordFields? {
    guard let container = try? decoder.container(keyedBy: FieldName.self) else { return nil }
    return try RecordFields(from: container)
  }

  private static func list(_ decoder: any Decoder) throws -> [FieldValue]? {
    guard var container = try? decoder.unkeyedContainer() else { return nil }
    var list: [FieldValue] = []
    while !container.isAtEnd { list.append(try container.decode(FieldValue.self)) }
    return list
  }

  /// Encodes the value in its own type.
  public func encode(to encoder: any Encoder) throws {
    if case .fields(let fields) = self { return try fields.encode(to: encoder) }
    var single = encoder.singleValueContainer()
    switch self {
    case .null: try single.encodeNil()
    case .bool(let bool): try single.encode(bool)
    case .integer(let integer):
      if let integer = Int64(exactly: integer) {
        try single.encode(integer)
      } else if let integer = UInt64(exactly: integer) {
        try single.encode(integer)
      } else {
        try single.encode(integer)
      }
    case .number(let number): try single.encode(number)
    case .decimal(let decimal): try single.encode(decimal)
    case .text(let text): try single.encode(text)
    case .data(let data): try single.encode(data)
    case .uuid(let uuid): try single.encode(uuid)
    case .list(let list): try single.encode(list)
    case .fields: return
    }
  }
}

/// The name of a field of any record.
package struct FieldName: CodingKey {
  package let stringValue: String
  package var intValue: Int? { Int(stringValue) }

  package init(stringValue: String) { self.stringValue = stringValue }
  package init?(intValue: Int) { stringValue = String(intValue) }
}
