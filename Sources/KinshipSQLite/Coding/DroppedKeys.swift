#if SQLite
  /// Takes the parts of a value that is encoded as JSON afterwards: here it is only found to have
  /// parts.
  struct DroppedKeys<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) throws {}
    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {}

    mutating func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { KeyedEncodingContainer(DroppedKeys<NestedKey>()) }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      DroppedElements()
    }

    mutating func superEncoder() -> any Encoder { ValueEncoder(SQLiteFormats()) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { ValueEncoder(SQLiteFormats()) }
  }

  /// Takes the elements of a value that is encoded as JSON afterwards.
  struct DroppedElements: UnkeyedEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count = 0

    mutating func encodeNil() throws { count += 1 }
    mutating func encode<T: Encodable>(_ value: T) throws { count += 1 }

    mutating func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> { KeyedEncodingContainer(DroppedKeys<NestedKey>()) }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { DroppedElements() }
    mutating func superEncoder() -> any Encoder { ValueEncoder(SQLiteFormats()) }
  }
#endif
