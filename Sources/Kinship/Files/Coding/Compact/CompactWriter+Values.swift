#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension CompactWriter {
  /// Writes a value that has no containers.
  ///
  /// - Returns: Whether it is such a value.
  @inline(__always)
  func writeLeaf<Value>(_ value: Value) -> Bool {
    if let value = identical(value, to: Int.self) {
      write(value)
    } else if let value = identical(value, to: String.self) {
      write(value)
    } else if let value = identical(value, to: Bool.self) {
      bytes.reserve(1)
      bytes.appendReserved(value ? CompactTag.yes : CompactTag.no)
    } else if let value = identical(value, to: Double.self) {
      write(value)
    } else if let value = identical(value, to: Date.self) {
      write(value.timeIntervalSinceReferenceDate)
    } else if let value = identical(value, to: UUID.self) {
      withUnsafeBytes(of: value.uuid) { write(CompactTag.uuid, $0) }
    } else if let value = identical(value, to: Data.self) {
      write(value)
    } else {
      return writeNumber(value) || writeArray(value)
    }
    return true
  }

  @inline(__always)
  private func writeNumber<Value>(_ value: Value) -> Bool {
    if let value = identical(value, to: Int64.self) {
      write(value)
    } else if let value = identical(value, to: Int32.self) {
      write(value)
    } else if let value = identical(value, to: Int16.self) {
      write(value)
    } else if let value = identical(value, to: Int8.self) {
      write(value)
    } else if let value = identical(value, to: UInt.self) {
      write(value)
    } else if let value = identical(value, to: UInt64.self) {
      write(value)
    } else if let value = identical(value, to: UInt32.self) {
      write(value)
    } else if let value = identical(value, to: UInt16.self) {
      write(value)
    } else if let value = identical(value, to: UInt8.self) {
      write(value)
    } else if let value = identical(value, to: Float.self) {
      write(value)
    } else if let value = identical(value, to: Int128.self) {
      writeWide(value)
    } else if let value = identical(value, to: UInt128.self) {
      writeWide(value)
    } else if let value = identical(value, to: Decimal.self) {
      // Foundation's own form of it is not checked when it is read.
      write(value.description)
    } else {
      return false
    }
    return true
  }

  /// Writes an array whose elements need no encoder each.
  @inline(__always)
  private func writeArray<Value>(_ value: Value) -> Bool {
    if let value = identical(value, to: [Int].self) {
      writeAll(value) { write($0) }
    } else if let value = identical(value, to: [String].self) {
      writeAll(value) { write($0) }
    } else if let value = identical(value, to: [Double].self) {
      writeAll(value) { write($0) }
    } else if let value = identical(value, to: [UInt8].self) {
      writeAll(value) { write($0) }
    } else {
      return false
    }
    return true
  }

  private func writeAll<Element>(_ elements: [Element], _ write: (Element) -> Void) {
    let frame = push(isValue: true)
    open(.unkeyed, at: frame)
    for element in elements { write(element) }
    popFrames(to: Int(frame.index))
  }

  func writeNull() {
    bytes.reserve(1)
    bytes.appendReserved(CompactTag.null)
  }

  @inline(__always)
  private func write<Number: FixedWidthInteger>(_ value: Number) {
    bytes.reserve(10)
    if value >= 0 {
      writeMagnitude(UInt64(truncatingIfNeeded: value))
    } else {
      writeLong(UInt64(truncatingIfNeeded: ~value), CompactTag.negative)
    }
  }

  @inline(__always)
  private func writeMagnitude(_ value: UInt64) {
    if value <= UInt64(CompactTag.lastSmall) {
      bytes.appendReserved(UInt8(truncatingIfNeeded: value))
    } else if value < 1 << 13 {
      bytes.appendReserved(CompactTag.twoBytes | UInt8(truncatingIfNeeded: value >> 8))
      bytes.appendReserved(UInt8(truncatingIfNeeded: value))
    } else if value < 1 << 20 {
      bytes.appendReserved(CompactTag.threeBytes | UInt8(truncatingIfNeeded: value >> 16))
      bytes.appendReserved(UInt16(truncatingIfNeeded: value), count: 2)
    } else {
      writeLong(value, CompactTag.positive)
    }
  }

  @inline(__always)
  private func writeLong(_ value: UInt64, _ tag: UInt8) {
    let size = max(1, (71 - value.leadingZeroBitCount) / 8)
    bytes.appendReserved(tag + UInt8(truncatingIfNeeded: size - 1))
    bytes.appendReserved(value, count: size)
  }

  private func writeWide<Number: FixedWidthInteger>(_ value: Number) {
    if let small = UInt64(exactly: value) {
      write(small)
    } else if let small = Int64(exactly: value) {
      write(small)
    } else {
      bytes.reserve(17)
      bytes.appendReserved(value < 0 ? CompactTag.negativeWide : CompactTag.wide)
      bytes.appendReserved(UInt128(truncatingIfNeeded: value < 0 ? ~value : value), count: 16)
    }
  }

  /// A number without a fraction is written as an integer, and one of few digits as a `Float`.
  @inline(__always)
  private func write(_ value: Double) {
    if let integer = exactInteger(value) {
      write(integer)
    } else if Double(Float(value)) == value {
      writeBits(of: Float(value))
    } else {
      bytes.reserve(9)
      bytes.appendReserved(CompactTag.double)
      bytes.appendReserved(value.bitPattern, count: 8)
    }
  }

  @inline(__always)
  private func write(_ value: Float) {
    if let integer = exactInteger(Double(value)) {
      write(integer)
    } else {
      writeBits(of: value)
    }
  }

  private func writeBits(of value: Float) {
    bytes.reserve(5)
    bytes.appendReserved(CompactTag.float)
    bytes.appendReserved(value.bitPattern, count: 4)
  }

  /// The integer that a number is, but for −0, which is none.
  @inline(__always)
  private func exactInteger(_ value: Double) -> Int? {
    guard abs(value) < 0x1p53 else { return nil }
    let integer = Int(value)
    return Double(integer).bitPattern == value.bitPattern ? integer : nil
  }

  @inline(__always)
  func write(_ value: String) {
    var value = value
    value.withUTF8 { text in
      if text.count < 64 {
        bytes.reserve(64)
        bytes.appendReserved(CompactTag.shortString | UInt8(truncatingIfNeeded: text.count))
      } else {
        bytes.reserve(11)
        bytes.appendReserved(CompactTag.string)
        bytes.appendVarint(text.count)
      }
      bytes.append(UnsafeRawBufferPointer(text))
    }
  }

  private func write(_ value: Data) {
    bytes.reserve(11)
    bytes.appendReserved(CompactTag.data)
    bytes.appendVarint(value.count)
    value.withUnsafeBytes { bytes.append($0) }
  }

  private func write(_ tag: UInt8, _ content: UnsafeRawBufferPointer) {
    bytes.reserve(1 + content.count)
    bytes.appendReserved(tag)
    bytes.append(content)
  }
}
