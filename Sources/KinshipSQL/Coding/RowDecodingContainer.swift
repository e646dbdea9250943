/// The columns of a row by the keys of a record.
package struct RowDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  package let decoder: RowDecoder

  package var codingPath: [any CodingKey] { [] }
  package var allKeys: [Key] {
    decoder.layout.columns.compactMap(Key.init(stringValue:)).filter(contains)
  }

  package func contains(_ key: Key) -> Bool { decoder.position(of: key) != nil }

  package func decodeNil(forKey key: Key) throws -> Bool { isNull(try position(of: key)) }

  package func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    let position = try position(of: key)
    guard let integer = decoder.cells.integer(at: position) else {
      throw mismatch(type, key, position)
    }
    return Int(truncatingIfNeeded: integer)
  }

  package func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try text(at: position(of: key), key)
  }

  package func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    let position = try position(of: key)
    guard let real = decoder.cells.real(at: position) else {
      throw mismatch(type, key, position)
    }
    return real
  }

  package func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try value(type, at: position(of: key), key)
  }

  // Optionals: asked of the column once, where the defaults would look for the key three times.

  package func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    let position = try position(of: key)
    if let integer = decoder.cells.integer(at: position) {
      return Int(truncatingIfNeeded: integer)
    }
    if isNull(position) { return nil }
    throw mismatch(type, key, position)
  }

  package func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    let position = try position(of: key)
    return isNull(position) ? nil : try text(at: position, key)
  }

  package func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    let position = try position(of: key)
    if isNull(position) { return nil }
    if decoder.isIntegerRef(type, at: position),
      let integer = decoder.cells.integer(at: position)
    {
      return .some(ValueDecoder.ref(Int(truncatingIfNeeded: integer), as: type))
    }
    return try value(type, at: position, key)
  }

  // MARK: Parts

  @inline(__always)
  private func position(of key: Key) throws -> Int {
    guard let position = decoder.position(of: key) else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: [key],
          debugDescription: "Table “\(decoder.layout.table)” has no such column or list."))
    }
    return position
  }

  @inline(__always)
  private func isNull(_ position: Int) -> Bool { decoder.cells.isNull(at: position) }

  private func text(at position: Int, _ key: Key) throws -> String {
    guard let text = decoder.cells.text(at: position) else {
      throw mismatch(String.self, key, position)
    }
    return text
  }

  private func value<T: Decodable>(
    _ type: T.Type, at position: Int, _ key: Key
  ) throws -> T {
    let layout = decoder.layout
    if position >= layout.columns.count {
      let row = SQLRow(decoder.cells, layout: layout)
      if let refs = try row.refs(at: position) as? T { return refs }
      throw mismatch(type, key, position)
    }
    if decoder.parts == nil, !layout.idParts.isEmpty, key.stringValue == "id" {
      return try type.init(from: decoder.decoderOfParts())
    }
    let values = decoder.values
    values.value = decoder.cells.value(at: position)
    do {
      return try values.decode(type, decoder.kind(of: type, at: position))
    } catch let error as DecodingError {
      throw error.within(key)
    }
  }

  private func mismatch(_ type: Any.Type, _ key: Key, _ position: Int) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: [key],
        debugDescription:
          "The column holds \(decoder.cells.kind(at: position))."))
  }

  // MARK: What rows do not have

  package func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    throw mismatch(type, key, try position(of: key))
  }

  package func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw mismatch([Any].self, key, try position(of: key))
  }

  package func superDecoder() throws -> any Decoder { decoder }
  package func superDecoder(forKey key: Key) throws -> any Decoder { decoder }
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
