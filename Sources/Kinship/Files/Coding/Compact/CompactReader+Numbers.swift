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

  /// An integer that is written as a number that may have a fraction.
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

  /// The nearest `Float`, as JSON's digits are read.
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
