#if SQLite
  internal import CSQLite

  /// Decodes the rows of a statement, one after another: one decoder for all of them.
  ///
  /// A record asks for its keys in the same order each time. So the decoder remembers of each turn which
  /// key was asked for and where its column is, and searches only when it is asked for another one.
  @usableFromInline
  final class RowDecoder: Decoder {
    private struct Turn {
      let key: String
      let position: Int
    }

    let statement: OpaquePointer
    let layout: RowLayout
    let values: ValueDecoder
    /// Where the parts of an id are, for the decoder of an id of several columns.
    let parts: [String: Int]?
    private var turns: [Turn] = []
    /// By position, for the type that was last asked for there.
    private var kinds: [(type: ObjectIdentifier, kind: ValueDecoder.Kind)?]
    private var turn = 0

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
      values = ValueDecoder(layout.formats)
      kinds = Array(repeating: nil, count: layout.columns.count)
    }

    /// The decoder of an id of several columns.
    func decoderOfParts() -> RowDecoder {
      RowDecoder(statement, layout, parts: layout.idParts)
    }

    /// The position of what a key names; nil if the table has nothing of that name.
    @inline(__always)
    func position(of key: some CodingKey) -> Int? {
      let name = key.stringValue
      let turn = turn
      if turn < turns.count {
        let next = turns[turn]
        if next.key == name {
          self.turn = turn + 1
          return next.position
        }
      }
      // Some ask first whether there is such a key, and whether there is a value.
      if turn > 0, case let last = turns[turn - 1], last.key == name { return last.position }
      return search(for: name)
    }

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

    private func search(for name: String) -> Int? {
      guard let position = parts.map({ $0[name] }) ?? layout.position(of: name) else { return nil }
      turns.removeSubrange(min(turn, turns.count)...)
      turns.append(Turn(key: name, position: position))
      turn = turns.count
      return position
    }

    @usableFromInline
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      turn = 0
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
