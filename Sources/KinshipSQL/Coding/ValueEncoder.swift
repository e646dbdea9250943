#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Encodes a value for one column.
package final class ValueEncoder: Encoder, SingleValueEncodingContainer {
  private var value: SQLValue = .null
  /// Whether the value has several parts, so that it is encoded as JSON.
  private(set) var hasParts = false
  private let formats: SQLFormats
  package var kind = ColumnKind.any
  package var codingPath: [any CodingKey] { [] }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  package init(_ formats: SQLFormats) { self.formats = formats }

  package static func value(
    of value: any Encodable, _ formats: SQLFormats
  ) throws -> SQLValue {
    try ValueEncoder(formats).encoded(value)
  }

  package func encoded<T: Encodable>(_ value: T) throws -> SQLValue {
    if T.self == Date.self, let date = value as? Date {
      return try formats.value(of: date)
    }
    if T.self == UUID.self, let uuid = value as? UUID { return formats.value(of: uuid) }
    if T.self == Data.self, let data = value as? Data { return data.sqlValue }
    if T.self == [UInt8].self, let bytes = value as? [UInt8] { return bytes.sqlValue }
    if T.self == URL.self, let url = value as? URL {
      guard url.baseURL == nil else {
        throw SQLMappingError.notStorable(
          "a URL is relative to another, which would be lost; store its `absoluteURL`")
      }
      return .text(url.absoluteString)
    }
    if T.self == Decimal.self, let decimal = value as? Decimal { return decimal.stored(in: kind) }
    (self.value, hasParts) = (.null, false)
    try value.encode(to: self)
    if hasParts { return .text(try JSONText.text(of: value, formats)) }
    return self.value
  }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    hasParts = true
    return KeyedEncodingContainer(DroppedKeys())
  }

  package func unkeyedContainer() -> any UnkeyedEncodingContainer {
    hasParts = true
    return DroppedElements()
  }

  package func singleValueContainer() -> any SingleValueEncodingContainer { self }

  package func encodeNil() throws { value = .null }
  package func encode<T: Encodable>(_ value: T) throws { self.value = try encoded(value) }
  /// Encodes the simple types of the protocol, each of which asks for its own method.
  package func encode<T: Encodable & SQLConvertible>(_ value: T) throws {
    self.value = try value.sqlValue
  }
}

/// Discards the parts of a value: all that matters is whether it has any.
package struct DroppedKeys<Key: CodingKey>: KeyedEncodingContainerProtocol {
  package var codingPath: [any CodingKey] { [] }

  package mutating func encodeNil(forKey key: Key) throws {}
  package mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {}

  package mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> { KeyedEncodingContainer(DroppedKeys<NestedKey>()) }

  package mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    DroppedElements()
  }

  package mutating func superEncoder() -> any Encoder { ValueEncoder(SQLFormats()) }
  package mutating func superEncoder(forKey key: Key) -> any Encoder { ValueEncoder(SQLFormats()) }
}

/// Discards the elements of a value, which is encoded as JSON afterwards.
package struct DroppedElements: UnkeyedEncodingContainer {
  package var codingPath: [any CodingKey] { [] }
  package var count = 0

  package mutating func encodeNil() throws { count += 1 }
  package mutating func encode<T: Encodable>(_ value: T) throws { count += 1 }

  package mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> { KeyedEncodingContainer(DroppedKeys<NestedKey>()) }

  package mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    DroppedElements()
  }
  package mutating func superEncoder() -> any Encoder { ValueEncoder(SQLFormats()) }
}
