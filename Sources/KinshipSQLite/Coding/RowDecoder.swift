#if SQLite
  internal import CSQLite

  /// Decodes the rows of a statement, one after another: one decoder for all of them.
  @usableFromInline
  final class RowDecoder: Decoder {
    let statement: OpaquePointer
    let layout: RowLayout
    let values: ValueDecoder
    /// Where the parts of an id are, for the decoder of an id of several columns.
    let parts: [String: Int]?
    private let keys: KeyOrder
    /// By position, for the type that was last asked for there.
    private var kinds: [(type: ObjectIdentifier, kind: ValueDecoder.Kind)?]

    @usableFromInline var codingPath: [any CodingKey] { [] }
    @usableFromInline var userInfo: [CodingUserInfoKey: Any] { [:] }

    @usableFromInline
    convenience init(_ row: borrowing SQLiteRow) {
      self.init(row.statement, row.layout, parts: nil)
    }

    private init(_ statement: OpaquePointer, _ layout: RowLayout, parts: [String: Int]?) {
      self.statement = statement
      self.layout = layout
      self.parts = parts
      keys = KeyOrder(layout, parts: parts)
      values = ValueDecoder(layout.formats)
      kinds = Array(repeating: nil, count: layout.columns.count)
    }

    /// The decoder of an id of several columns.
    func decoderOfParts() -> RowDecoder {
      RowDecoder(statement, layout, parts: layout.idParts)
    }

    /// The position of what a key names; `nil` if the table has nothing of that name.
    @inline(__always)
    func position(of key: some CodingKey) -> Int? { keys.position(of: key) }

    /// How values of a type are decoded: found once, for it takes longer than the decoding.
    func kind<T: Decodable>(of type: T.Type, at position: Int) -> ValueDecoder.Kind {
      if let known = kinds[position], known.type == ObjectIdentifier(type) { return known.kind }
      let kind = ValueDecoder.kind(of: type)
      kinds[position] = (ObjectIdentifier(type), kind)
      return kind
    }

    /// Whether a type is that of refs whose ids are integers.
    @inline(__always)
    func isIntegerRef<T: Decodable>(_ type: T.Type, at position: Int) -> Bool {
      if position < kinds.count, case .integerRef = kind(of: type, at: position) { return true }
      return false
    }

    @usableFromInline
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      keys.restart()
      return KeyedDecodingContainer(RowDecodingContainer(decoder: self))
    }

    @usableFromInline
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw noKeys }

    @usableFromInline
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw noKeys }

    private var noKeys: DecodingError {
      .dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "A row has a value for each key."))
    }
  }
#endif
