extension CompactReader {
  /// Records the tokens of all values, from the first byte to the last.
  ///
  /// - Complexity: O(*n*) in the bytes.
  func findTokens() throws(DecodingError) {
    input.pointee.hasTexts = false
    input.pointee.tokens.shrink(to: 0)
    input.pointee.open.shrink(to: 0)
    // The container of the value itself.
    push(OpenContainer(token: 0, end: input.pointee.count, isKeyed: false))
    var position = 0
    while true {
      let innermost = input.pointee.open.count - 1
      let end = input.pointee.open[innermost].end
      if position < end {
        let key = try nextKey(at: &position, end)
        try addToken(key, at: &position, end)
      } else if innermost > 0 {
        close(input.pointee.open[innermost])
        input.pointee.open.shrink(to: innermost)
      } else {
        break
      }
    }
    guard input.pointee.open[0].count == 1 else { throw corrupted("there is more than one value") }
  }

  @inline(__always)
  private func push(_ container: OpenContainer) {
    input.pointee.open.grow(to: input.pointee.open.count + 1, with: container)
  }

  /// Skips the key of an entry, or counts an element.
  @inline(__always)
  private func nextKey(at position: inout Int, _ end: Int) throws(DecodingError) -> UInt32 {
    let innermost = input.pointee.open.count - 1
    let count = input.pointee.open[innermost].count
    input.pointee.open[innermost].count = count + 1
    guard input.pointee.open[innermost].isKeyed else { return count }
    // Most keys are numbers of one byte.
    let first = input.pointee.base.load(fromByteOffset: position, as: UInt8.self)
    let key: UInt32
    if first > 0, first < 0x80, Int(first) <= keys.count {
      key = UInt32(first)
      position += 1
    } else {
      key = try self.key(at: &position, end)
    }
    input.pointee.open[innermost].addKey(key)
    guard position < end else { throw corrupted("a key has no value") }
    return key
  }

  /// Adds the token of a value, and skips it; for a container, only its head.
  @inline(__always)
  private func addToken(
    _ key: UInt32, at position: inout Int, _ end: Int
  ) throws(DecodingError) {
    let token = input.pointee.tokens.count
    let depth = input.pointee.open.count
    let tag = input.pointee.base.load(fromByteOffset: position, as: UInt8.self)
    var new = CompactToken(
      offset: UInt32(truncatingIfNeeded: position),
      parent: UInt32(truncatingIfNeeded: input.pointee.open[depth - 1].token), key: key,
      next: UInt32(truncatingIfNeeded: token + 1))
    let size = input.pointee.size(tag)
    if size == 0 {
      position += 1
      let length = try varint(at: &position, end)
      guard length <= end - position else { throw corrupted("a length is beyond the end") }
      if tag == CompactTag.keyed || tag == CompactTag.unkeyed {
        guard depth <= CompactCoder.depthLimit else {
          throw corrupted("containers lie more than \(CompactCoder.depthLimit) deep")
        }
        new.extra = new.next
        push(
          OpenContainer(
            token: token, end: position + length, isKeyed: tag == CompactTag.keyed))
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

  private func close(_ container: OpenContainer) {
    let token = container.token
    input.pointee.tokens[token].next = UInt32(truncatingIfNeeded: input.pointee.tokens.count)
    if !container.isKeyed { input.pointee.tokens[token].extra = container.count }
    if container.mayRepeat { hideRepeated(in: token) }
  }

  /// Hides entries with duplicate keys, except the last.
  private func hideRepeated(in container: Int) {
    var entries: [EntryKey: Int] = [:]
    forEachEntry(in: container) { token in
      if let earlier = entries.updateValue(token, forKey: entryKey(of: token)) {
        input.pointee.tokens[earlier].key = CompactToken.hiddenKey
      }
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
    guard let text = text(at: position, length) else { throw corrupted("a key is not in UTF-8") }
    position += length
    if let code = codes[text] { return code }
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

  /// The length at a position, which is known to exist, and the position after it.
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

extension CompactReader {
  /// Reads a number without a fraction as any type that can hold it.
  @inline(__always)
  func integer<Number: FixedWidthInteger>(_ type: Number.Type, at token: Int) throws -> Number {
    let offset = Int(input.pointee.tokens[token].offset)
    let tag = input.pointee.base.load(fromByteOffset: offset, as: UInt8.self)
    if tag <= CompactTag.lastSmall { return Number(truncatingIfNeeded: tag) }
    if tag < CompactTag.shortString {
      let magnitude = magnitude(tag, at: offset)
      if tag < CompactTag.negative {
        if let number = Number(exactly: magnitude) { return number }
      } else if Number.isSigned, let number = Number(exactly: magnitude) {
        return ~number
      }
    } else if tag == CompactTag.wide || tag == CompactTag.negativeWide {
      let magnitude = UInt128(
        littleEndian: input.pointee.base.loadUnaligned(fromByteOffset: offset + 1, as: UInt128.self)
      )
      if tag == CompactTag.wide {
        if let number = Number(exactly: magnitude) { return number }
      } else if Number.isSigned, let number = Number(exactly: magnitude) {
        return ~number
      }
    } else if let number = try whole(type, at: token) {
      return number
    }
    throw corrupted("a number does not fit in \(type)", at: token)
  }

  /// Reads an integer that is encoded as a floating-point number.
  @inline(never)
  private func whole<Number: FixedWidthInteger>(
    _ type: Number.Type, at token: Int
  ) throws -> Number? {
    switch tag(of: token) {
    case CompactTag.float, CompactTag.double:
      return Number(exactly: try double(at: token, for: type))
    case CompactTag.decimal:
      return Int128(try decimalText(at: token)).flatMap { Number(exactly: $0) }
    default: throw mismatch(type, at: token)
    }
  }

  /// An integer, or −1 less it for a negative one.
  @inline(__always)
  private func magnitude(_ tag: UInt8, at offset: Int) -> UInt64 {
    if tag < CompactTag.threeBytes {
      let low = input.pointee.base.load(fromByteOffset: offset + 1, as: UInt8.self)
      return UInt64(tag & 0x1F) << 8 | UInt64(low)
    }
    if tag < CompactTag.positive {
      let low = UInt16(
        littleEndian: input.pointee.base.loadUnaligned(fromByteOffset: offset + 1, as: UInt16.self))
      return UInt64(tag & 0x0F) << 16 | UInt64(low)
    }
    let size = Int(tag & 7) + 1
    var value: UInt64 = 0
    for index in 0..<size {
      let byte = input.pointee.base.load(fromByteOffset: offset + 1 + index, as: UInt8.self)
      value |= UInt64(byte) << UInt64(8 * index)
    }
    return value
  }

  func double(at token: Int) throws -> Double { try double(at: token, for: Double.self) }

  /// The nearest `Float`, as from the digits in JSON.
  func float(at token: Int) throws -> Float {
    let offset = Int(input.pointee.tokens[token].offset) + 1
    if tag(of: token) == CompactTag.float { return floatBits(at: offset) }
    let wide = try double(at: token, for: Float.self)
    let number = Float(wide)
    if number.isInfinite, wide.isFinite {
      throw corrupted("a number does not fit in Float", at: token)
    }
    return number
  }

  private func double<Number>(at token: Int, for type: Number.Type) throws -> Double {
    let offset = Int(input.pointee.tokens[token].offset)
    let tag = tag(of: token)
    switch tag {
    case ..<CompactTag.shortString:
      let magnitude = tag <= CompactTag.lastSmall ? UInt64(tag) : magnitude(tag, at: offset)
      if tag < CompactTag.negative { return Double(magnitude) }
      return Int64(exactly: magnitude).map { Double(~$0) } ?? Double(~Int128(magnitude))
    case CompactTag.double:
      let bits = input.pointee.base.loadUnaligned(fromByteOffset: offset + 1, as: UInt64.self)
      return Double(bitPattern: UInt64(littleEndian: bits))
    case CompactTag.float: return Double(floatBits(at: offset + 1))
    case CompactTag.wide: return Double(try integer(UInt128.self, at: token))
    case CompactTag.negativeWide: return Double(try integer(Int128.self, at: token))
    case CompactTag.decimal:
      guard let number = Double(try decimalText(at: token)) else {
        throw corrupted("a decimal number is none", at: token)
      }
      return number
    default: throw mismatch(type, at: token)
    }
  }

  private func floatBits(at offset: Int) -> Float {
    let bits = input.pointee.base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return Float(bitPattern: UInt32(littleEndian: bits))
  }
}
