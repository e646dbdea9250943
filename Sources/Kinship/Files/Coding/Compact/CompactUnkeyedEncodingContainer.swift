/// Writes the elements of an array in the compact form.
struct CompactUnkeyedEncodingContainer: UnkeyedEncodingContainer {
  let writer: CompactWriter
  let frame: CompactFrame.Reference

  var codingPath: [any CodingKey] { writer.path(to: frame) }

  var count: Int {
    let index = Int(frame.index)
    guard index < writer.output.pointee.frames.count,
      writer.output.pointee.frames[index].serial == frame.serial
    else { return 0 }
    return writer.output.pointee.frames[index].count
  }

  func encodeNil() throws {
    _ = try writer.beginElement(in: frame)
    writer.writeNull()
  }

  func encode<Value: Encodable>(_ value: Value) throws { try encodeAny(value) }

  @inline(__always)
  func encodeAny<Value: Encodable>(_ value: Value) throws {
    let start = try writer.beginElement(in: frame)
    if writer.writeLeaf(value) { return }
    try writer.writeValue(value, since: start)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nest().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nest().unkeyedContainer() }

  func superEncoder() -> any Encoder { nest() }

  private func nest() -> CompactEncoder {
    do {
      _ = try writer.beginElement(in: frame)
      let nested = writer.nest()
      return CompactEncoder(writer: nested.writer, frame: nested.frame)
    } catch {
      let nested = writer.nestAfterFailure(error)
      return CompactEncoder(writer: nested.writer, frame: nested.frame)
    }
  }
}
