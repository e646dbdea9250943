extension CompactWriter {
  /// Writes a value that has no containers of its own.
  ///
  /// The types that come most are compared one by one, which costs less than any way to look them
  /// up. Where the type is known when this is compiled, nothing is left of it.
  ///
  /// - Returns: Whether it is such a value.
  @inline(__always)
  func writeLeaf<Value>(_ value: Value) -> Bool {
    if Value.self == Int.self {
      write(identical(value, as: Int.self))
    } else if Value.self == String.self {
      write(identical(value, as: String.self))
    } else if Value.self == Bool.self {
      identical(value, as: Bool.self).write(to: self)
    } else if Value.self == Double.self {
      write(identical(value, as: Double.self))
    } else {
      guard let leaf = leaves.leaf(Value.self) else { return false }
      write(value, as: leaf)
    }
    return true
  }

  private func write<Value, Leaf: CompactLeaf>(_ value: Value, as type: Leaf.Type) {
    // They are one type, as the runtime has said.
    identical(value, as: type).write(to: self)
  }

  func writeNull() { write(tag: CompactTag.null) }

  @inline(__always)
  func write(tag: UInt8) {
    output.pointee.bytes.reserve(1)
    output.pointee.bytes.appendReserved(tag)
  }

  @inline(__always)
  func write(_ tag: UInt8, _ content: UnsafeRawBufferPointer) {
    write(tag: tag)
    output.pointee.bytes.append(content)
  }

  func write(data: UnsafeRawBufferPointer, as tag: UInt8 = CompactTag.data) {
    write(tag: tag)
    output.pointee.bytes.appendVarint(data.count)
    output.pointee.bytes.append(data)
  }

  func write(decimal digits: String) {
    var digits = digits
    digits.withUTF8 { write(data: UnsafeRawBufferPointer($0), as: CompactTag.decimal) }
  }

  func write(_ value: String) {
    var value = value
    value.withUTF8 { text in
      if text.count < 64 {
        output.pointee.bytes.reserve(64)
        output.pointee.bytes.appendReserved(
          CompactTag.shortString | UInt8(truncatingIfNeeded: text.count))
      } else {
        write(tag: CompactTag.string)
        output.pointee.bytes.appendVarint(text.count)
      }
      output.pointee.bytes.append(UnsafeRawBufferPointer(text))
    }
  }
}
