extension CompactWriter {
  @inline(__always)
  func write<Number: FixedWidthInteger>(_ value: Number) {
    output.pointee.bytes.reserve(10)
    if value >= 0 {
      writeMagnitude(UInt64(truncatingIfNeeded: value))
    } else {
      writeLong(UInt64(truncatingIfNeeded: ~value), CompactTag.negative)
    }
  }

  @inline(__always)
  private func writeMagnitude(_ value: UInt64) {
    if value <= UInt64(CompactTag.lastSmall) {
      output.pointee.bytes.appendReserved(UInt8(truncatingIfNeeded: value))
    } else if value < 1 << 13 {
      output.pointee.bytes.appendReserved(
        CompactTag.twoBytes | UInt8(truncatingIfNeeded: value >> 8))
      output.pointee.bytes.appendReserved(UInt8(truncatingIfNeeded: value))
    } else if value < 1 << 20 {
      output.pointee.bytes.appendReserved(
        CompactTag.threeBytes | UInt8(truncatingIfNeeded: value >> 16))
      output.pointee.bytes.appendReserved(UInt16(truncatingIfNeeded: value), count: 2)
    } else {
      writeLong(value, CompactTag.positive)
    }
  }

  @inline(__always)
  private func writeLong(_ value: UInt64, _ tag: UInt8) {
    let size = max(1, (71 - value.leadingZeroBitCount) / 8)
    output.pointee.bytes.appendReserved(tag + UInt8(truncatingIfNeeded: size - 1))
    output.pointee.bytes.appendReserved(value, count: size)
  }

  func writeWide<Number: FixedWidthInteger>(_ value: Number) {
    if let small = UInt64(exactly: value) {
      write(small)
    } else if let small = Int64(exactly: value) {
      write(small)
    } else {
      write(tag: value < 0 ? CompactTag.negativeWide : CompactTag.wide)
      output.pointee.bytes.reserve(16)
      output.pointee.bytes.appendReserved(
        UInt128(truncatingIfNeeded: value < 0 ? ~value : value), count: 16)
    }
  }

  /// A number without a fraction is written as an integer, and one of few digits as a `Float`.
  func write(_ value: Double) {
    if let integer = exactInteger(value) {
      write(integer)
    } else if Double(Float(value)) == value {
      writeBits(of: Float(value))
    } else {
      output.pointee.bytes.reserve(9)
      output.pointee.bytes.appendReserved(CompactTag.double)
      output.pointee.bytes.appendReserved(value.bitPattern, count: 8)
    }
  }

  func write(_ value: Float) {
    if let integer = exactInteger(Double(value)) {
      write(integer)
    } else {
      writeBits(of: value)
    }
  }

  private func writeBits(of value: Float) {
    output.pointee.bytes.reserve(5)
    output.pointee.bytes.appendReserved(CompactTag.float)
    output.pointee.bytes.appendReserved(value.bitPattern, count: 4)
  }

  /// The integer that a number is, but for −0, which is none.
  @inline(__always)
  private func exactInteger(_ value: Double) -> Int? {
    guard abs(value) < 0x1p53 else { return nil }
    let integer = Int(value)
    return Double(integer).bitPattern == value.bitPattern ? integer : nil
  }
}
