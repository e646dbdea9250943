// For these two types the standard library has methods of its own that throw, and would be taken
// before the generic ones.

extension CompactKeyedEncodingContainer {
  func encode(_ value: Int128, forKey key: Key) throws { try encodeAny(value, forKey: key) }

  func encode(_ value: UInt128, forKey key: Key) throws { try encodeAny(value, forKey: key) }
}

extension CompactUnkeyedEncodingContainer {
  func encode(_ value: Int128) throws { try encodeAny(value) }

  func encode(_ value: UInt128) throws { try encodeAny(value) }
}

extension CompactSingleValueEncodingContainer {
  func encode(_ value: Int128) throws { try encodeAny(value) }

  func encode(_ value: UInt128) throws { try encodeAny(value) }
}

extension CompactKeyedDecodingContainer {
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try decodeAny(type, forKey: key)
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try decodeAny(type, forKey: key)
  }
}

extension CompactUnkeyedDecodingContainer {
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeAny(type) }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeAny(type) }
}

extension CompactDecoder {
  func decode(_ type: Int128.Type) throws -> Int128 { try decodeAny(type) }

  func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeAny(type) }
}
