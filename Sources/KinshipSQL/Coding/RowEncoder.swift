/// Encodes records into the values of columns, one after another.
@usableFromInline
package final class RowEncoder: Encoder {
  package let layout: RowLayout
  package let values: ValueEncoder
  package var cells: [SQLValue?] = []
  /// Whether each position's value is needed; empty if all are.
  private var wanted: [Bool] = []
  /// The first key that the table has no column for.
  package var unknownKey: String?
  /// The positions of values that are JSON objects.
  package var objects: [Int] = []
  package let parts: [String: Int]?
  private let keys: KeyOrder

  @usableFromInline package var codingPath: [any CodingKey] { [] }
  @usableFromInline package var userInfo: [CodingUserInfoKey: Any] { [:] }

  @usableFromInline
  package convenience init(_ layout: RowLayout) { self.init(layout, parts: nil) }

  private init(_ layout: RowLayout, parts: [String: Int]?) {
    self.layout = layout
    self.parts = parts
    keys = KeyOrder(layout, parts: parts)
    values = ValueEncoder(layout.formats)
  }

  @inlinable
  package func encode<R: Encodable>(_ record: R, to values: inout SQLValues) throws {
    start(with: &values)
    defer { finish(&values) }
    try record.encode(to: self)
    try checkKeys()
  }

  @usableFromInline
  package func start(with values: inout SQLValues) {
    swap(&cells, &values.cells)
    if cells.count == layout.columns.count {
      for position in cells.indices { cells[position] = nil }
    } else {
      cells = Array(repeating: nil, count: layout.columns.count)
    }
    values.count = cells.count
    wanted = values.wanted
    if !objects.isEmpty { objects = [] }
    unknownKey = nil
  }

  @usableFromInline
  package func finish(_ values: inout SQLValues) {
    swap(&cells, &values.cells)
    if !objects.isEmpty { values.objects = objects }
  }

  @usableFromInline
  package func checkKeys() throws {
    if let unknownKey {
      throw SQLMappingError.noColumnForProperty(unknownKey, table: layout.table)
    }
  }

  /// Encodes the values of an id of several columns.
  package func encode(parts id: some Encodable, into cells: inout [SQLValue?]) throws {
    let encoder = RowEncoder(layout, parts: layout.idParts)
    encoder.cells = Array(repeating: nil, count: layout.columns.count)
    try id.encode(to: encoder)
    try encoder.checkKeys()
    for position in layout.idPositions { cells[position] = encoder.cells[position] }
  }

  /// Returns the position of a key; `nil` for a list, whose rows are written separately, and for an
  /// unchanged value.
  @inline(__always)
  package func position(of key: some CodingKey) -> Int? {
    guard let position = keys.position(of: key) else {
      // A value without a column would be lost silently.
      refuse(key)
      return nil
    }
    if position >= layout.columns.count { return nil }
    return wanted.isEmpty || wanted[position] ? position : nil
  }

  /// Notes that a key's value cannot be stored as it is encoded.
  func refuse(_ key: some CodingKey) { unknownKey = unknownKey ?? key.stringValue }

  @usableFromInline
  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    keys.restart()
    return KeyedEncodingContainer(RowEncodingContainer(encoder: self))
  }

  @usableFromInline
  package func unkeyedContainer() -> any UnkeyedEncodingContainer {
    unknownKey = "unkeyed values"
    return DroppedElements()
  }

  @usableFromInline
  package func singleValueContainer() -> any SingleValueEncodingContainer {
    unknownKey = "a single value"
    return ValueEncoder(layout.formats)
  }
}

/// Receives the values of a record by its keys.
struct RowEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: RowEncoder

  var codingPath: [any CodingKey] { [] }

  private func set(_ key: Key, _ value: SQLValue) {
    guard let position = encoder.position(of: key) else { return }
    encoder.cells[position] = value
  }

  func encodeNil(forKey key: Key) throws { set(key, .null) }
  func encode(_ value: Int, forKey key: Key) throws { set(key, .integer(Int64(value))) }
  func encode(_ value: String, forKey key: Key) throws { set(key, .text(value)) }
  func encode(_ value: Bool, forKey key: Key) throws { set(key, value.sqlValue) }

  func encode(_ value: Double, forKey key: Key) throws {
    try encodeStored(key) { () throws(SQLMappingError) in try value.sqlValue }
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    guard let position = encoder.position(of: key) else { return }
    if encoder.parts == nil, !encoder.layout.idParts.isEmpty, key.stringValue == "id" {
      return try encoder.encode(parts: value, into: &encoder.cells)
    }
    encoder.values.kind = encoder.layout.kinds[position]
    let cell = try named(position) { try encoder.values.encoded(value) }
    encoder.cells[position] = cell
    if encoder.values.hasParts, case .text(let text) = cell, JSONText.isObject(text) {
      encoder.objects.append(position)
    }
  }

  private func encodeStored(_ key: Key, _ value: () throws -> SQLValue) throws {
    guard let position = encoder.position(of: key) else { return }
    encoder.cells[position] = try named(position, value)
  }

  /// Adds the column's name to the error for a value that cannot be stored.
  private func named(_ position: Int, _ value: () throws -> SQLValue) throws -> SQLValue {
    do {
      return try value()
    } catch SQLMappingError.notStorable(let reason) {
      throw SQLMappingError.notStorable("\(encoder.layout.name(at: position)): \(reason)")
    }
  }

  // Without a value, these store NULL; the defaults would omit the column.

  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    set(key, value.map { .integer(Int64($0)) } ?? .null)
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    set(key, value.map { .text($0) } ?? .null)
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    set(key, value?.sqlValue ?? .null)
  }

  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    try encodeStored(key) { try value.sqlValue }
  }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { set(key, .null) }
  }

  private func encodeNumber(_ value: (some SQLConvertible)?, _ key: Key) throws {
    try encodeStored(key) { try value.sqlValue }
  }

  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeNumber(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeNumber(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeNumber(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeNumber(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeNumber(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeNumber(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeNumber(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeNumber(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeNumber(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeNumber(value, key) }

  // MARK: Unsupported in rows, which have no columns for it

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder.refuse(key)
    return KeyedEncodingContainer(DroppedKeys<NestedKey>())
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.refuse(key)
    return DroppedElements()
  }

  func superEncoder() -> any Encoder { encoder }
  func superEncoder(forKey key: Key) -> any Encoder { encoder }
}
