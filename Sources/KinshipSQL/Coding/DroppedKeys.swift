/// Takes the parts of a value that is encoded as JSON afterwards: here it is only found to have
/// parts.
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

/// Takes the elements of a value that is encoded as JSON afterwards.
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
