extension CompactWriter {
  func misuse(_ description: String, at index: Int) -> EncodingError {
    EncodingError.invalidValue(
      Optional<Never>.none as Any,
      .init(codingPath: path(to: index), debugDescription: description))
  }

  /// The path to a frame: the entries that the frames around it are at.
  func path(to index: Int) -> [any CodingKey] {
    var path = outerPath
    for outer in 0..<max(0, min(index, output.pointee.frames.count)) {
      if let key = currentKey(of: outer) { path.append(key) }
    }
    return path
  }

  func path(to frame: CompactFrame.Reference) -> [any CodingKey] {
    path(to: Int(frame.index))
  }

  /// The key of the last entry in a frame.
  private func currentKey(of index: Int) -> PathKey? {
    let frame = output.pointee.frames[index]
    switch frame.state {
    case .keyed: return PathKey(stringValue: key(at: frame.entry))
    case .unkeyed: return PathKey(intValue: max(0, frame.count - 1))
    case .awaiting, .single, .written: return nil
    }
  }

  /// Reads a key back from the bytes.
  private func key(at position: Int) -> String {
    var position = position
    let code = varint(at: &position)
    if code > 0 { return table.keys[code - 1] }
    let length = varint(at: &position)
    return String(
      decoding: UnsafeBufferPointer(start: output.pointee.bytes.base + position, count: length),
      as: UTF8.self)
  }

  private func varint(at position: inout Int) -> Int {
    var (value, shift) = (0, 0)
    repeat {
      value |= Int(output.pointee.bytes[position] & 0x7F) << shift
      shift += 7
      position += 1
    } while output.pointee.bytes[position - 1] >= 0x80
    return value
  }
}
