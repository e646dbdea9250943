/// Reads the entries of an object in the compact form.
struct CompactKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let reader: CompactReader
  private let token: UInt32
  private let serial: UInt32
  private let codes: KeyCodeTables.Codes?

  init(_ reader: CompactReader, _ token: UInt32) {
    self.reader = reader
    self.token = token
    serial = reader.serial
    codes = reader.codes(of: Key.self)
  }

  var codingPath: [any CodingKey] { serial == reader.serial ? reader.path(to: Int(token)) : [] }

  var allKeys: [Key] {
    guard serial == reader.serial else { return [] }
    var keys: [Key] = []
    reader.forEachEntry(in: Int(token)) { entry, _ in
      if let key = Key(stringValue: reader.name(of: entry)) { keys.append(key) }
    }
    return keys
  }

  func contains(_ key: Key) -> Bool {
    serial == reader.serial
      && reader.find(key, codes, in: Int(token), advances: false) != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    try reader.check(serial)
    guard let entry = reader.find(key, codes, in: Int(token), advances: false) else {
      throw notFound(key)
    }
    return reader.isNull(entry)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decodeAny(type, forKey: key)
  }

  @inline(__always)
  func decodeAny<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try reader.value(type, at: entry(key))
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try reader.check(serial)
    guard let entry = reader.find(key, codes, in: Int(token)), !reader.isNull(entry) else {
      return nil
    }
    return try reader.value(type, at: entry)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try superDecoder(PathKey.super, nil) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(key, codes) }

  /// What is not there decodes as null does.
  private func superDecoder<Name: CodingKey>(
    _ key: Name, _ codes: KeyCodeTables.Codes?
  ) throws -> any Decoder {
    try reader.check(serial)
    guard let entry = reader.find(key, codes, in: Int(token)) else {
      return NullDecoder(codingPath: codingPath + [key], userInfo: reader.userInfo)
    }
    return CompactDecoder(reader: reader, token: UInt32(entry), serial: serial)
  }

  private func decoder(_ key: Key) throws -> CompactDecoder {
    CompactDecoder(reader: reader, token: UInt32(try entry(key)), serial: serial)
  }

  @inline(__always)
  private func entry(_ key: Key) throws -> Int {
    try reader.check(serial)
    guard let entry = reader.find(key, codes, in: Int(token)) else { throw notFound(key) }
    return entry
  }

  private func notFound(_ key: Key) -> DecodingError {
    .keyNotFound(
      key,
      .init(
        codingPath: codingPath, debugDescription: "there is nothing for “\(key.stringValue)”"))
  }
}
