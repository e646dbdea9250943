/// What a value encodes itself to in the compact form.
struct CompactEncoder: Encoder {
  let writer: CompactWriter
  let frame: CompactFrame.Reference

  var codingPath: [any CodingKey] { writer.path(to: frame) }
  var userInfo: [CodingUserInfoKey: Any] { writer.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    writer.open(.keyed, at: frame)
    return KeyedEncodingContainer(CompactKeyedEncodingContainer<Key>(writer, frame))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    writer.open(.unkeyed, at: frame)
    return CompactUnkeyedEncodingContainer(writer: writer, frame: frame)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    writer.open(.single, at: frame)
    return CompactSingleValueEncodingContainer(writer: writer, frame: frame)
  }
}
