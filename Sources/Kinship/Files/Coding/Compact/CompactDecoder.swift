/// What a value decodes itself from in the compact form.
struct CompactDecoder: Decoder {
  let reader: CompactReader
  let token: UInt32
  let serial: UInt32

  var codingPath: [any CodingKey] { serial == reader.serial ? reader.path(to: Int(token)) : [] }
  var userInfo: [CodingUserInfoKey: Any] { reader.userInfo }

  /// Whether what is decoded is a string, and not only read as one.
  var isString: Bool { serial == reader.serial && reader.isString(Int(token)) }

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
