/// Discards the parts of a value.
///
/// The encoder only finds out that the value has parts, and encodes it as JSON afterwards.
package struct DroppedKeys<Key: CodingKey>: KeyedEncodingContainerProtocol {
  package var codingPath: [any CodingKey] { [] }

  package mutating func encodeNil(forKey key: Key) throws {}
  package mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {}

  package mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> { KeyedEncodingContainer(DroppedKeys<NestedKey>()) }

  package mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    DroppedElements()
  }

  package mutating func superEncoder() -> any Encoder { ValueEncoder(SQLFormats()) }
  package mutating func superEncoder(forKey key: Key) -> any Encoder { ValueEncoder(SQLFormats()) }
}

/// Discards the elements of a value, which is encoded as JSON afterwards.
package struct DroppedElements: UnkeyedEncodingContainer {
  package var codingPath: [any CodingKey] { [] }
  package var count = 0

  package mutating func encodeNil() throws { count += 1 }
  package mutating func encode<T: Encodable>(_ value: T) throws { count += 1 }

  package mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> { KeyedEncodingContainer(DroppedKeys<NestedKey>()) }

  package mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    DroppedElements()
  }
  package mutating func superEncoder() -> any Encoder { ValueEncoder(SQLFormats()) }
}
