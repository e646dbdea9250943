/// The decoder from which a value decodes itself in the compact form.
struct CompactDecoder: Decoder {
  let reader: CompactReader
  let token: UInt32
  let serial: UInt32

  var codingPath: [any CodingKey] { serial == reader.serial ? reader.path(to: Int(token)) : [] }
  var userInfo: [CodingUserInfoKey: Any] { reader.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try reader.check(serial)
    guard reader.tag(of: Int(token)) == CompactTag.keyed else {
      throw reader.mismatch([String: Any].self, at: Int(token))
    }
    return KeyedDecodingContainer(CompactKeyedDecodingContainer<Key>(reader, token))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try reader.check(serial)
    guard reader.tag(of: Int(token)) == CompactTag.unkeyed else {
      throw reader.mismatch([Any].self, at: Int(token))
    }
    return CompactUnkeyedDecodingContainer(reader, token)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try reader.check(serial)
    return self
  }
}

extension CompactDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { serial == reader.serial && reader.isNull(Int(token)) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decodeAny(type) }

  @inline(__always)
  func decodeAny<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try reader.check(serial)
    return try reader.value(type, at: Int(token))
  }
}

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
    reader.forEachEntry(in: Int(token)) { entry in
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

  /// A missing value decodes like null.
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

/// Reads the elements of an array in the compact form.
///
/// At three words, it fits into an existential without an allocation.
struct CompactUnkeyedDecodingContainer: UnkeyedDecodingContainer {
  private let reader: CompactReader
  private let token: UInt32
  private let serial: UInt32
  private var next: UInt32
  private var index: UInt32 = 0

  init(_ reader: CompactReader, _ token: UInt32) {
    self.reader = reader
    self.token = token
    serial = reader.serial
    next = token + 1
  }

  var codingPath: [any CodingKey] { serial == reader.serial ? reader.path(to: Int(token)) : [] }
  var currentIndex: Int { Int(index) }
  var count: Int? {
    serial == reader.serial ? Int(reader.input.pointee.tokens[Int(token)].extra) : 0
  }
  var isAtEnd: Bool {
    serial != reader.serial || next >= reader.input.pointee.tokens[Int(token)].next
  }

  mutating func decodeNil() throws -> Bool {
    guard reader.isNull(try element(Any?.self)) else { return false }
    advance()
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decodeAny(type)
  }

  @inline(__always)
  mutating func decodeAny<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try reader.value(type, at: element(type))
    advance()
    return value
  }

  mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    guard !isAtEnd else { return nil }
    let value = try decodeNil() ? nil : decode(type)
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try decoder().container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try decoder().unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try decoder()
    advance()
    return decoder
  }

  private func decoder() throws -> CompactDecoder {
    CompactDecoder(reader: reader, token: UInt32(try element((any Decoder).self)), serial: serial)
  }

  /// The token of the next element.
  @inline(__always)
  private func element<Value>(_ type: Value.Type) throws -> Int {
    try reader.check(serial)
    guard next < reader.input.pointee.tokens[Int(token)].next else {
      throw DecodingError.valueNotFound(
        type,
        .init(
          codingPath: codingPath + [PathKey(intValue: currentIndex)],
          debugDescription: "there are no more elements"))
    }
    return Int(next)
  }

  @inline(__always)
  private mutating func advance() {
    next = reader.input.pointee.tokens[Int(next)].next
    index += 1
  }
}

/// Decodes a missing value.
struct NullDecoder: Decoder, SingleValueDecodingContainer {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any]

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw notFound([String: Any].self)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw notFound([Any].self) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { true }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw notFound(type) }

  private func notFound<Value>(_ type: Value.Type) -> DecodingError {
    .valueNotFound(
      type, .init(codingPath: codingPath, debugDescription: "expected \(type) but found nothing"))
  }
}

extension Decoder {
  /// Whether the value is encoded as a string, and not only readable as one.
  ///
  /// `nil` in other formats.
  package var isCompactString: Bool? {
    (self as? CompactDecoder).map {
      $0.serial == $0.reader.serial && $0.reader.isString(Int($0.token))
    }
  }

  /// Whether the value is encoded as a floating-point number; `nil` in other formats.
  package var isCompactFloatingPoint: Bool? {
    (self as? CompactDecoder).map {
      $0.serial == $0.reader.serial && $0.reader.isFloatingPoint(Int($0.token))
    }
  }
}
