extension CompactWriter {
  /// Begins an entry of a keyed container.
  ///
  /// - Returns: Where it begins.
  @inline(__always)
  func beginEntry<Key: CodingKey>(
    _ key: Key, _ codes: KeyCodeTables.Codes?, in frame: CompactFrame.Reference
  ) throws -> Int {
    try focus(frame)
    let start = output.pointee.bytes.count
    let code = table.code(of: key, codes)
    if code != 0 {
      output.pointee.bytes.reserve(10)
      if code < 0x80 {
        output.pointee.bytes.appendReserved(UInt8(truncatingIfNeeded: code))
      } else {
        output.pointee.bytes.appendVarint(Int(code))
      }
    } else {
      appendName(key.stringValue)
    }
    output.pointee.frames[Int(frame.index)].entry = start
    return start
  }

  private func appendName(_ name: String) {
    var name = name
    name.withUTF8 { text in
      output.pointee.bytes.reserve(1)
      output.pointee.bytes.appendReserved(0)
      output.pointee.bytes.appendVarint(text.count)
      output.pointee.bytes.append(UnsafeRawBufferPointer(text))
    }
  }

  /// Begins an element of an unkeyed container.
  ///
  /// - Returns: Where it begins.
  @inline(__always)
  func beginElement(in frame: CompactFrame.Reference) throws -> Int {
    try focus(frame)
    output.pointee.frames[Int(frame.index)].count += 1
    return output.pointee.bytes.count
  }

  /// Begins the value of a single-value container.
  @inline(__always)
  func beginSingle(in frame: CompactFrame.Reference) throws -> Int {
    try focus(frame)
    let index = Int(frame.index)
    guard output.pointee.frames[index].state == .single else {
      throw misuse("a second value is encoded where there can be one", at: index)
    }
    output.pointee.frames[index].state = .written
    return output.pointee.bytes.count
  }

  /// Writes a value that may have containers, or takes back its entry if that fails.
  func writeValue<Value: Encodable>(_ value: Value, since start: Int) throws {
    if output.pointee.hasFailed, let failure { throw failure }
    let count = output.pointee.frames.count
    let frame = push(isValue: true)
    do {
      try value.encode(to: CompactEncoder(writer: self, frame: frame))
      popFrames(to: count)
    } catch {
      rollBack(to: start, frames: count)
      throw error
    }
  }
}
