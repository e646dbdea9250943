#if SQLite
  /// Encodes records into the values of columns, one after another: one encoder for all of them.
  @usableFromInline
  final class RowEncoder: Encoder {
    let layout: RowLayout
    let values: ValueEncoder
    var cells: [SQLiteValue?] = []
    /// By position whether a value is needed; empty where all are.
    private var wanted: [Bool] = []
    /// The first key that the table has no column for.
    var unknownKey: String?
    let parts: [String: Int]?
    private let keys: KeyOrder

    @usableFromInline var codingPath: [any CodingKey] { [] }
    @usableFromInline var userInfo: [CodingUserInfoKey: Any] { [:] }

    @usableFromInline
    convenience init(_ layout: RowLayout) { self.init(layout, parts: nil) }

    private init(_ layout: RowLayout, parts: [String: Int]?) {
      self.layout = layout
      self.parts = parts
      keys = KeyOrder(layout, parts: parts)
      values = ValueEncoder(layout.formats)
    }

    /// The values of a record.
    @inlinable
    func encode<R: Encodable>(_ record: R, to values: inout SQLiteValues) throws {
      start(with: &values)
      defer { finish(&values) }
      try record.encode(to: self)
      try checkKeys()
    }

    @usableFromInline
    func start(with values: inout SQLiteValues) {
      swap(&cells, &values.cells)
      if cells.count == layout.columns.count {
        for position in cells.indices { cells[position] = nil }
      } else {
        cells = Array(repeating: nil, count: layout.columns.count)
      }
      values.count = cells.count
      wanted = values.wanted
      unknownKey = nil
    }

    @usableFromInline
    func finish(_ values: inout SQLiteValues) { swap(&cells, &values.cells) }

    @usableFromInline
    func checkKeys() throws {
      if let unknownKey {
        throw SQLiteError.noColumnForProperty(unknownKey, table: layout.table)
      }
    }

    /// The values of an id of several columns.
    func encode(parts id: some Encodable, into cells: inout [SQLiteValue?]) throws {
      let encoder = RowEncoder(layout, parts: layout.idParts)
      encoder.cells = Array(repeating: nil, count: layout.columns.count)
      try id.encode(to: encoder)
      try encoder.checkKeys()
      for position in layout.idPositions { cells[position] = encoder.cells[position] }
    }

    /// The position of what a key names; `nil` for a list, whose rows are written apart, and for
    /// what does not change.
    @inline(__always)
    func position(of key: some CodingKey) -> Int? {
      guard let position = keys.position(of: key) else {
        // What has no column would be lost without a word.
        refuse(key)
        return nil
      }
      if position >= layout.columns.count { return nil }
      return wanted.isEmpty || wanted[position] ? position : nil
    }

    @usableFromInline
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      keys.restart()
      return KeyedEncodingContainer(RowEncodingContainer(encoder: self))
    }

    @usableFromInline
    func unkeyedContainer() -> any UnkeyedEncodingContainer {
      unknownKey = "unkeyed values"
      return DroppedElements()
    }

    @usableFromInline
    func singleValueContainer() -> any SingleValueEncodingContainer {
      unknownKey = "a single value"
      return ValueEncoder(layout.formats)
    }
  }
#endif
