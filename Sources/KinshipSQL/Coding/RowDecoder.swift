/// Decodes the rows of a statement, one after another: one decoder for all of them.
@usableFromInline
package final class RowDecoder: Decoder {
  let cells: any SQLCells
  package let layout: RowLayout
  package let values: ValueDecoder
  /// Where the parts of an id are, for the decoder of an id of several columns.
  package let parts: [String: Int]?
  private let keys: KeyOrder
  /// By position, for the type that was last asked for there.
  private var kinds: [(type: ObjectIdentifier, kind: ValueDecoder.Kind)?]

  @usableFromInline package var codingPath: [any CodingKey] { [] }
  @usableFromInline package var userInfo: [CodingUserInfoKey: Any] { [:] }

  @usableFromInline
  package convenience init(_ row: borrowing SQLRow) {
    self.init(row.cells, row.layout, parts: nil)
  }

  private init(_ cells: any SQLCells, _ layout: RowLayout, parts: [String: Int]?) {
    self.cells = cells
    self.layout = layout
    self.parts = parts
    keys = KeyOrder(layout, parts: parts)
    values = ValueDecoder(layout.formats)
    kinds = Array(repeating: nil, count: layout.columns.count)
  }

  /// The decoder of an id of several columns.
  package func decoderOfParts() -> RowDecoder {
    RowDecoder(cells, layout, parts: layout.idParts)
  }

  /// The position of what a key names; `nil` if the table has nothing of that name.
  @inline(__always)
  package func position(of key: some CodingKey) -> Int? { keys.position(of: key) }

  /// How values of a type are decoded: found once, for it takes longer than the decoding.
  package func kind<T: Decodable>(of type: T.Type, at position: Int) -> ValueDecoder.Kind {
    if let known = kinds[position], known.type == ObjectIdentifier(type) { return known.kind }
    let kind = ValueDecoder.kind(of: type)
    kinds[position] = (ObjectIdentifier(type), kind)
    return kind
  }

  /// Whether a type is that of refs whose ids are integers.
  @inline(__always)
  package func isIntegerRef<T: Decodable>(_ type: T.Type, at position: Int) -> Bool {
    if position < kinds.count, case .integerRef = kind(of: type, at: position) { return true }
    return false
  }

  @usableFromInline
  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    keys.restart()
    return KeyedDecodingContainer(RowDecodingContainer(decoder: self))
  }

  @usableFromInline
  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw noKeys }

  @usableFromInline
  package func singleValueContainer() throws -> any SingleValueDecodingContainer { throw noKeys }

  private var noKeys: DecodingError {
    .dataCorrupted(
      DecodingError.Context(codingPath: [], debugDescription: "A row has a value for each key."))
  }
}
