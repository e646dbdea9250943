/// Writes the entries of an object in the compact form.
struct CompactKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let writer: CompactWriter
  private let frame: CompactFrame.Reference
  private let codes: KeyCodeTables.Codes?

  init(_ writer: CompactWriter, _ frame: CompactFrame.Reference) {
    self.writer = writer
    self.frame = frame
    codes = writer.table.tables.codes(of: Key.self)
  }

  var codingPath: [any CodingKey] { writer.path(to: frame) }

  func encodeNil(forKey key: Key) throws {
    _ = try writer.beginEntry(key, codes, in: frame)
    writer.writeNull()
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try encodeAny(value, forKey: key)
  }

  @inline(__always)
  func encodeAny<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let start = try writer.beginEntry(key, codes, in: frame)
    if writer.writeLeaf(value) { return }
    try writer.writeValue(value, since: start)
  }

  /// As without it, but the compiler knows what is called.
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encodeAny(value, forKey: key) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nest(key, codes).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nest(key, codes).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nest(PathKey.super, nil) }

  func superEncoder(forKey key: Key) -> any Encoder { nest(key, codes) }

  private func nest<Name: CodingKey>(
    _ key: Name, _ codes: KeyCodeTables.Codes?
  ) -> CompactEncoder {
    do {
      _ = try writer.beginEntry(key, codes, in: frame)
      let nested = writer.nest()
      return CompactEncoder(writer: nested.writer, frame: nested.frame)
    } catch {
      let nested = writer.nestAfterFailure(error)
      return CompactEncoder(writer: nested.writer, frame: nested.frame)
    }
  }
}
