/// Writes one value in the compact form.
struct CompactSingleValueEncodingContainer: SingleValueEncodingContainer {
  let writer: CompactWriter
  let frame: CompactFrame.Reference

  var codingPath: [any CodingKey] { writer.path(to: frame) }

  func encodeNil() throws {
    _ = try writer.beginSingle(in: frame)
    writer.writeNull()
  }

  func encode<Value: Encodable>(_ value: Value) throws { try encodeAny(value) }

  @inline(__always)
  func encodeAny<Value: Encodable>(_ value: Value) throws {
    let start = try writer.beginSingle(in: frame)
    if writer.writeLeaf(value) { return }
    do {
      try writer.writeValue(value, since: start)
    } catch {
      writer.output.pointee.frames[Int(frame.index)].state = .single
      throw error
    }
  }
}
