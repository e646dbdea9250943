extension CompactReader {
  /// Reads an integer as any type that can hold it.
  @inline(__always)
  func integer<Number: FixedWidthInteger>(_ type: Number.Type, at token: Int) throws -> Number {
    let offset = Int(tokens[token].offset)
    let tag = base.load(fromByteOffset: offset, as: UInt8.self)
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
        littleEndian: base.loadUnaligned(fromByteOffset: offset + 1, as: UInt128.self))
      if tag == CompactTag.wide {
        if let number = Number(exactly: magnitude) { return number }
      } else if Number.isSigned, let number = Number(exactly: magnitude) {
        return ~number
      }
    } else {
      throw mismatch(type, at: token)
    }
    throw corrupted("a number does not fit in \(type)", at: token)
  }

  /// An integer, or −1 less it for a negative one.
  @inline(__always)
  private func magnitude(_ tag: UInt8, at offset: Int) -> UInt64 {
    if tag < CompactTag.threeBytes {
      let low = base.load(fromByteOffset: offset + 1, as: UInt8.self)
      return UInt64(tag & 0x1F) << 8 | UInt64(low)
    }
    if tag < CompactTag.positive {
      let low = UInt16(
        littleEndian: base.loadUnaligned(fromByteOffset: offset + 1, as: UInt16.self))
      return UInt64(tag & 0x0F) << 16 | UInt64(low)
    }
    let size = Int(tag & 7) + 1
    var value: UInt64 = 0
    for index in 0..<size {
      let byte = base.load(fromByteOffset: offset + 1 + index, as: UInt8.self)
      value |= UInt64(byte) << UInt64(8 * index)
    }
    return value
  }

  func double(at token: Int) throws -> Double {
    let offset = Int(tokens[token].offset) + 1
    switch tag(of: token) {
    case CompactTag.double:
      return Double(
        bitPattern: UInt64(
          littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    case CompactTag.float: return Double(floatBits(at: offset))
    default: return try floating(Double.self, at: token)
    }
  }

  func float(at token: Int) throws -> Float {
    let offset = Int(tokens[token].offset) + 1
    switch tag(of: token) {
    case CompactTag.float: return floatBits(at: offset)
    case CompactTag.double:
      let wide = try double(at: token)
      guard Double(Float(wide)).bitPattern == wide.bitPattern else {
        throw corrupted("a number does not fit in Float", at: token)
      }
      return Float(wide)
    default: return try floating(Float.self, at: token)
    }
  }

  private func floatBits(at offset: Int) -> Float {
    Float(
      bitPattern: UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  /// Reads an integer as a floating-point number, if it is one exactly.
  private func floating<Number: BinaryFloatingPoint>(
    _ type: Number.Type, at token: Int
  ) throws -> Number {
    let tag = tag(of: token)
    guard tag < CompactTag.shortString else {
      guard tag == CompactTag.wide || tag == CompactTag.negativeWide else {
        throw mismatch(type, at: token)
      }
      throw corrupted("a number does not fit in \(type)", at: token)
    }
    guard let number = Number(exactly: try integer(Int128.self, at: token)) else {
      throw corrupted("a number does not fit in \(type)", at: token)
    }
    return number
  }
}
