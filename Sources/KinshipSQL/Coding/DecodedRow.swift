/// The row being decoded, with what is known from earlier rows: one object for all rows of a
/// statement.
final class DecodedRow {
  let cells: any SQLCells
  let layout: RowLayout
  let values: ValueDecoder
  /// The positions of an id's parts, for the decoder of an id of several columns.
  let parts: [String: Int]?
  private let keys: KeyOrder
  /// The way of decoding, by position, for the type last requested there.
  private var kinds: [(type: ObjectIdentifier, kind: ValueDecoder.Kind)?]

  init(_ cells: any SQLCells, _ layout: RowLayout, parts: [String: Int]?) {
    self.cells = cells
    self.layout = layout
    self.parts = parts
    keys = KeyOrder(layout, parts: parts)
    values = ValueDecoder(layout.formats)
    kinds = Array(repeating: nil, count: layout.columns.count)
  }

  /// The same row, for decoding the parts of an id of several columns.
  var ofParts: DecodedRow { DecodedRow(cells, layout, parts: layout.idParts) }

  /// Starts again at the first key, for another record.
  func restart() { keys.restart() }

  /// Returns the position of a key; `nil` if the table has nothing of that name.
  @inline(__always)
  func position(of key: some CodingKey) -> Int? { keys.position(of: key) }

  /// Returns how to decode values of a type.
  ///
  /// It is found once, because finding it takes longer than decoding.
  func kind<T: Decodable>(of type: T.Type, at position: Int) -> ValueDecoder.Kind {
    if let known = kinds[position], known.type == ObjectIdentifier(type) { return known.kind }
    let kind = ValueDecoder.kind(of: type)
    // Change a copy and then store it, so that reads need no exclusivity check.
    var kinds = kinds
    kinds[position] = (ObjectIdentifier(type), kind)
    self.kinds = kinds
    return kind
  }

  /// Returns whether a type is a ref whose id is an integer.
  @inline(__always)
  func isIntegerRef<T: Decodable>(_ type: T.Type, at position: Int) -> Bool {
    if position < kinds.count, case .integerRef = kind(of: type, at: position) { return true }
    return false
  }
}
