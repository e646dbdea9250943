#if SQLite
  internal import CSQLite

  /// The columns of a row by the keys of a record.
  struct RowDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RowDecoder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] {
      decoder.layout.columns.compactMap(Key.init(stringValue:)).filter(contains)
    }

    func contains(_ key: Key) -> Bool { decoder.position(of: key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { isNull(try position(of: key)) }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
      let position = try position(of: key)
      let cell = cell(position)
      guard cell.type == SQLITE_INTEGER else { throw mismatch(type, key, position) }
      return Int(truncatingIfNeeded: cell.integer)
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
      try text(at: position(of: key), key)
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
      let position = try position(of: key)
      let cell = cell(position)
      if cell.type == SQLITE_FLOAT { return cell.real }
      return try value(type, at: position, key)
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      try value(type, at: position(of: key), key)
    }

    // Optionals: asked of the column once, where the defaults would look for the key three times.

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
      let position = try position(of: key)
      let cell = cell(position)
      switch cell.type {
      case SQLITE_INTEGER: return Int(truncatingIfNeeded: cell.integer)
      case SQLITE_NULL: return nil
      default: throw mismatch(type, key, position)
      }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
      let position = try position(of: key)
      return isNull(position) ? nil : try text(at: position, key)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
      let position = try position(of: key)
      let cell = cell(position)
      switch cell.type {
      case SQLITE_NULL: return nil
      case SQLITE_INTEGER where decoder.isIntegerRef(type, at: Int(position)):
        return .some(ValueDecoder.ref(Int(truncatingIfNeeded: cell.integer), as: type))
      default: return try value(type, at: position, key)
      }
    }

    // MARK: Parts

    @inline(__always)
    private func position(of key: Key) throws -> Int32 {
      guard let position = decoder.position(of: key) else {
        throw DecodingError.keyNotFound(
          key,
          DecodingError.Context(
            codingPath: [key],
            debugDescription: "Table “\(decoder.layout.table)” has no such column or list."))
      }
      return Int32(truncatingIfNeeded: position)
    }

    @inline(__always)
    private func cell(_ position: Int32) -> StoredColumn.Cell {
      StoredColumn.Cell(decoder.statement, position)
    }

    @inline(__always)
    private func isNull(_ position: Int32) -> Bool {
      cell(position).type == SQLITE_NULL
    }

    private func text(at position: Int32, _ key: Key) throws -> String {
      let cell = cell(position)
      guard cell.type == SQLITE_TEXT, let text = cell.text else {
        throw mismatch(String.self, key, position)
      }
      return text
    }

    private func value<T: Decodable>(
      _ type: T.Type, at position: Int32, _ key: Key
    ) throws -> T {
      let layout = decoder.layout
      if position >= layout.columns.count {
        let row = SQLiteRow(statement: decoder.statement, layout: layout)
        if let refs = try row.refs(at: Int(position)) as? T { return refs }
        throw mismatch(type, key, position)
      }
      if decoder.parts == nil, !layout.idParts.isEmpty, key.stringValue == "id" {
        return try type.init(from: decoder.decoderOfParts())
      }
      let values = decoder.values
      values.value = StoredColumn.value(decoder.statement, position)
      do {
        return try values.decode(type, decoder.kind(of: type, at: Int(position)))
      } catch let error as DecodingError {
        throw error.within(key)
      }
    }

    private func mismatch(_ type: Any.Type, _ key: Key, _ position: Int32) -> DecodingError {
      .typeMismatch(
        type,
        DecodingError.Context(
          codingPath: [key],
          debugDescription:
            "The column holds \(StoredColumn.kind(decoder.statement, position))."))
    }

    // MARK: What rows do not have

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
      throw mismatch(type, key, try position(of: key))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw mismatch([Any].self, key, try position(of: key))
    }

    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { decoder }
  }

  extension DecodingError {
    /// The error with a key before its path.
    fileprivate func within(_ key: some CodingKey) -> DecodingError {
      func context(_ context: Context) -> Context {
        Context(
          codingPath: [key] + context.codingPath, debugDescription: context.debugDescription,
          underlyingError: context.underlyingError)
      }
      return switch self {
      case .typeMismatch(let type, let inner): .typeMismatch(type, context(inner))
      case .valueNotFound(let type, let inner): .valueNotFound(type, context(inner))
      case .keyNotFound(let missing, let inner): .keyNotFound(missing, context(inner))
      case .dataCorrupted(let inner): .dataCorrupted(context(inner))
      @unknown default: self
      }
    }
  }
#endif
