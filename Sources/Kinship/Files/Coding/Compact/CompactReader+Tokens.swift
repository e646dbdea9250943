extension CompactReader {
  /// A container whose end is not reached.
  private struct Open: BitwiseCopyable {
    var token: Int
    var end: Int
    var isKeyed: Bool
    /// Some bits of the codes so far; whether one has come again, perhaps.
    var seen: UInt64 = 0
    var mayRepeat = false
    var count: UInt32 = 0
  }

  /// Notes the tokens of all values, from the first byte to the last.
  ///
  /// - Complexity: O(*n*) in the bytes.
  func findTokens() throws(DecodingError) {
    input.pointee.hasTexts = false
    tokens.shrink(to: 0)
    var open = PlainBuffer(
      repeating: Open(token: 0, end: input.pointee.count, isKeyed: false), count: 1)
    var position = 0
    while true {
      let innermost = open.count - 1
      if position == open[innermost].end {
        if innermost == 0 { break }
        try close(open[innermost])
        open.shrink(to: innermost)
        continue
      }
      let end = open[innermost].end
      var key = CompactToken.noKey
      if open[innermost].isKeyed {
        key = try self.key(at: &position, end)
        let bit: UInt64 = 1 << UInt64(key & 63)
        if open[innermost].seen & bit != 0 || key & CompactToken.textBit != 0 {
          open[innermost].mayRepeat = true
        }
        open[innermost].seen |= bit
        guard position < end else { throw corrupted("a key has no value") }
      }
      open[innermost].count += 1
      let token = tokens.count
      let tag = base.load(fromByteOffset: position, as: UInt8.self)
      var new = CompactToken(
        offset: UInt32(truncatingIfNeeded: position), key: key,
        next: UInt32(truncatingIfNeeded: token + 1), extra: 0)
      let size = Int(CompactTag.sizes[Int(tag)])
      if size == 0 {
        position += 1
        let length = try varint(at: &position, end)
        guard length <= end - position else { throw corrupted("a length is beyond the end") }
        if tag == CompactTag.keyed || tag == CompactTag.unkeyed {
          guard innermost < CompactCoder.depthLimit else {
            throw corrupted("containers lie more than \(CompactCoder.depthLimit) deep")
          }
          new.extra = new.next
          open.grow(
            to: open.count + 1,
            with: Open(token: token, end: position + length, isKeyed: tag == CompactTag.keyed))
        } else {
          position += length
        }
      } else {
        guard size != CompactTag.unknown else { throw corrupted("a tag means nothing") }
        guard size <= end - position else { throw corrupted("a value is beyond the end") }
        position += size
      }
      tokens.grow(to: token + 1, with: new)
    }
    guard open[0].count == 1 else { throw corrupted("there is more than one value") }
  }

  private func close(_ container: Open) throws(DecodingError) {
    tokens[container.token].next = UInt32(truncatingIfNeeded: tokens.count)
    if !container.isKeyed { tokens[container.token].extra = container.count }
    if container.mayRepeat { hideRepeated(in: container.token) }
  }

  /// Of entries with the same key, the last counts.
  private func hideRepeated(in container: Int) {
    var last: [String: Int] = [:]
    var token = container + 1
    while token < tokens.count {
      if let earlier = last.updateValue(token, forKey: name(of: token)) {
        tokens[earlier].key = CompactToken.noKey
      }
      token = Int(tokens[token].next)
    }
  }

  private func key(at position: inout Int, _ end: Int) throws(DecodingError) -> UInt32 {
    let first = base.load(fromByteOffset: position, as: UInt8.self)
    let code: Int
    if first < 0x80 {
      position += 1
      code = Int(first)
    } else {
      code = try varint(at: &position, end)
    }
    guard code <= keys.count else { throw corrupted("a key's number is not known") }
    if code > 0 { return UInt32(truncatingIfNeeded: code) }
    let start = position
    let length = try varint(at: &position, end)
    guard length <= end - position else { throw corrupted("a length is beyond the end") }
    guard text(at: position, length) != nil else { throw corrupted("a key is not in UTF-8") }
    position += length
    input.pointee.hasTexts = true
    return CompactToken.textBit | UInt32(truncatingIfNeeded: start)
  }

  /// A length or a number: up to 31 bits, in groups of seven.
  @inline(__always)
  private func varint(at position: inout Int, _ end: Int) throws(DecodingError) -> Int {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end, shift < 35 {
      let byte = base.load(fromByteOffset: position, as: UInt8.self)
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        guard value <= Int32.max else { break }
        return Int(value)
      }
      shift += 7
    }
    throw corrupted("a length makes no sense")
  }

  /// The length that is at a position, which is known to be there; and the position after it.
  @inline(__always)
  func checkedVarint(at position: Int) -> (value: Int, end: Int) {
    var (value, shift, end) = (0, 0, position)
    while true {
      let byte = base.load(fromByteOffset: end, as: UInt8.self)
      end += 1
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return (value, end) }
      shift += 7
    }
  }

  /// Some bytes as a string; `nil` where they are not UTF-8.
  @inline(__always)
  func text(at position: Int, _ length: Int) -> String? {
    let start = (base + position).assumingMemoryBound(to: UInt8.self)
    return String(validating: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
  }

  /// The key of an entry as a string.
  func name(of token: Int) -> String {
    let key = tokens[token].key
    guard key & CompactToken.textBit != 0 else { return keys[Int(key) - 1] }
    let (length, start) = checkedVarint(at: Int(key & ~CompactToken.textBit))
    return text(at: start, length) ?? ""
  }
}
