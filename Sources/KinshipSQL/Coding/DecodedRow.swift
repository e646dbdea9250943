/// The row that is decoded at the moment, and what is known of the rows before: it is the same for
/// all rows of a statement.
final class DecodedRow {
  let cells: any SQLCells
  let layout: RowLayout
  let values: ValueDecoder
  /// Where the parts of an id are, for the decoder of an id of several columns.
  let parts: [String: Int]?
  private let keys: KeyOrder
  /// By position, for the type that was last asked for there.
  private var kinds: [(type: ObjectIdentifier, kind: ValueDecoder.Kind)?]

  init(_ cells: any SQLCells, _ layout: RowLayout, parts: [String: Int]?) {
    self.cells = cells
    self.layout = layout
    self.parts = parts
    keys = KeyOrder(layout, parts: parts)
    values = ValueDecoder(layout.formats)
    kinds = Array(repeating: nil, count: layout.columns.count)
  }

  /// The same row, of which the parts of an id of several columns are decoded.
  var ofParts: DecodedRow { DecodedRow(cells, layout, parts: layout.idParts) }

  /// Goes back to the first key, for another record.
  func restart() { keys.restart() }

  /// The position of what a key names; `nil` if the table has nothing of that name.
  @inline(__always)
  func position(of key: some CodingKey) -> Int? { keys.position(of: key) }

  /// How values of a type are decoded: found once, for it takes longer than the decoding.
  func kind<T: Decodable>(of type: T.Type, at position: Int) -> ValueDecoder.Kind {
    if let known = kinds[position], known.type == ObjectIdentifier(type) { return known.kind }
    let kind = ValueDecoder.kind(of: type)
    // Changed elsewhere and then stored: what reads it need not ask whether somebody changes it.
    var kinds = kinds
    kinds[position] = (ObjectIdentifier(type), kind)
    self.kinds = kinds
    return kind
  }

  /// Whether a type is that of refs whose ids are integers.
  @inline(__always)
  func isIntegerRef<T: Decodable>(_ type: T.Type, at position: Int) -> Bool {
    if position < kinds.count, case .integerRef = kind(of: type, at: position) { return true }
    return false
  }
}
