/// Decodes what is not there.
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
