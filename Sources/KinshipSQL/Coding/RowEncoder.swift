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

  /// Encodes the values of a record.
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
