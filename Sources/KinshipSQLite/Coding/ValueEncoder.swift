#if SQLite
  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// Encodes a value for one column.
  final class ValueEncoder: Encoder, SingleValueEncodingContainer {
    private var value: SQLiteValue = .null
    /// Whether the value has several parts: it is encoded as JSON.
    private var hasParts = false
    private let formats: SQLiteFormats
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ formats: SQLiteFormats) { self.formats = formats }

    static func value(
      of value: any Encodable, _ formats: SQLiteFormats
    ) throws -> SQLiteValue {
      try ValueEncoder(formats).encoded(value)
    }

    /// What is stored for a value.
    func encoded<T: Encodable>(_ value: T) throws -> SQLiteValue {
      if T.self == Date.self, let date = value as? Date {
        return try DateFormat.value(of: date, formats.dates)
      }
      if T.self == UUID.self, let uuid = value as? UUID {
        return formats.uuids == .text ? uuid.sqliteValue : uuid.sqliteBlob
      }
      if T.self == Data.self, let data = value as? Data { return data.sqliteValue }
      if T.self == [UInt8].self, let bytes = value as? [UInt8] { return bytes.sqliteValue }
      if T.self == URL.self, let url = value as? URL { return .text(url.absoluteString) }
      (self.value, hasParts) = (.null, false)
      try value.encode(to: self)
      if hasParts { return .text(try JSONText.text(of: value, formats)) }
      return self.value
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      hasParts = true
      return KeyedEncodingContainer(DroppedKeys())
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
      hasParts = true
      return DroppedElements()
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws { value = .null }
    func encode<T: Encodable>(_ value: T) throws { self.value = try encoded(value) }
    func encode(_ value: Bool) throws { self.value = value.sqliteValue }
    func encode(_ value: String) throws { self.value = value.sqliteValue }
    func encode(_ value: Double) throws { self.value = try value.sqliteValue }
    func encode(_ value: Float) throws { self.value = try value.sqliteValue }
    func encode(_ value: Int) throws { self.value = try value.sqliteValue }
    func encode(_ value: Int8) throws { self.value = try value.sqliteValue }
    func encode(_ value: Int16) throws { self.value = try value.sqliteValue }
    func encode(_ value: Int32) throws { self.value = try value.sqliteValue }
    func encode(_ value: Int64) throws { self.value = try value.sqliteValue }
    func encode(_ value: UInt) throws { self.value = try value.sqliteValue }
    func encode(_ value: UInt8) throws { self.value = try value.sqliteValue }
    func encode(_ value: UInt16) throws { self.value = try value.sqliteValue }
    func encode(_ value: UInt32) throws { self.value = try value.sqliteValue }
    func encode(_ value: UInt64) throws { self.value = try value.sqliteValue }
  }
#endif
