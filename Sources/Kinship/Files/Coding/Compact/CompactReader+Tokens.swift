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
    input.pointee.tokens.shrink(to: 0)
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
        // Most keys are numbers of one byte.
        let first = input.pointee.base.load(fromByteOffset: position, as: UInt8.self)
        if first > 0, first < 0x80, Int(first) <= keys.count {
          key = UInt32(first)
          position += 1
        } else {
          key = try self.key(at: &position, end)
        }
        let bit: UInt64 = 1 << UInt64(key & 63)
        if open[innermost].seen & bit != 0 || key & CompactToken.textBit != 0 {
          open[innermost].mayRepeat = true
        }
        open[innermost].seen |= bit
        guard position < end else { throw corrupted("a key has no value") }
      }
      open[innermost].count += 1
      let token = input.pointee.tokens.count
      let tag = input.pointee.base.load(fromByteOffset: position, as: UInt8.self)
      var new = CompactToken(
        offset: UInt32(truncatingIfNeeded: position), key: key,
        next: UInt32(truncatingIfNeeded: token + 1), extra: 0)
      let size = input.pointee.size(tag)
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
        guard size != Int(CompactTag.unknown) else { throw corrupted("a tag means nothing") }
        guard size <= end - position else { throw corrupted("a value is beyond the end") }
        position += size
      }
      input.pointee.tokens.grow(to: token + 1, with: new)
    }
    guard open[0].count == 1 else { throw corrupted("there is more than one value") }
  }

  private func close(_ container: Open) throws(DecodingError) {
    input.pointee.tokens[container.token].next = UInt32(
      truncatingIfNeeded: input.pointee.tokens.count)
    if !container.isKeyed { input.pointee.tokens[container.token].extra = container.count }
    if container.mayRepeat { hideRepeated(in: container.token) }
  }

  /// Of entries with the same key, the last counts.
  private func hideRepeated(in container: Int) {
    var last: [String: Int] = [:]
    var token = container + 1
    while token < input.pointee.tokens.count {
      if let earlier = last.updateValue(token, forKey: name(of: token)) {
        input.pointee.tokens[earlier].key = CompactToken.noKey
      }
      token = Int(input.pointee.tokens[token].next)
    }
  }

  @inline(never)
  private func key(at position: inout Int, _ end: Int) throws(DecodingError) -> UInt32 {
    let code = try varint(at: &position, end)
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
      let byte = input.pointee.base.load(fromByteOffset: position, as: UInt8.self)
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
      let byte = input.pointee.base.load(fromByteOffset: end, as: UInt8.self)
      end += 1
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return (value, end) }
      shift += 7
    }
  }

  /// The key of an entry as a string.
  func name(of token: Int) -> String {
    let key = input.pointee.tokens[token].key
    guard key & CompactToken.textBit != 0 else { return keys[Int(key) - 1] }
    let (length, start) = checkedVarint(at: Int(key & ~CompactToken.textBit))
    return text(at: start, length) ?? ""
  }
}
