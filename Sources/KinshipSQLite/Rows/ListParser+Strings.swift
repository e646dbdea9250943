#if SQLite
  internal import KinshipSQL

  extension ListParser {
    /// Reads the string at the index, and returns its bytes without escapes.
    mutating func string() throws(SQLMappingError) -> [UInt8] {
      var string: [UInt8] = []
      index += 1
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""): return string
        case UInt8(ascii: "\\"): string.append(try escaped())
        default: string.append(byte)
        }
      }
      throw unsuitable
    }

    /// Reads the character after a backslash; SQLite escapes quotes, backslashes and control
    /// characters.
    private mutating func escaped() throws(SQLMappingError) -> UInt8 {
      guard index < bytes.count else { throw unsuitable }
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "b"): return 0x08
      case UInt8(ascii: "t"): return 0x09
      case UInt8(ascii: "n"): return 0x0A
      case UInt8(ascii: "f"): return 0x0C
      case UInt8(ascii: "r"): return 0x0D
      case UInt8(ascii: "u"):
        guard index + 4 <= bytes.count,
          let code = UInt8(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16),
          code < 0x80
        else { throw unsuitable }
        index += 4
        return code
      default: return byte
      }
    }

    /// Returns the bytes of pairs of hexadecimal digits; `nil` for other characters.
    static func bytes(fromHex digits: ArraySlice<UInt8>) -> [UInt8]? {
      guard digits.count.isMultiple(of: 2) else { return nil }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(digits.count / 2)
      var high: UInt8?
      for digit in digits {
        guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
        if let first = high {
          bytes.append(first << 4 | UInt8(value))
          high = nil
        } else {
          high = UInt8(value)
        }
      }
      return bytes
    }
  }
#endif
