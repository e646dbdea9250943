#if SQLite
  internal import KinshipSQL

  /// Reads a list of ids as SQLite writes it: a JSON array of integers and strings.
  ///
  /// A string begins with `t` before a text, or with `b` before a blob in hexadecimal digits.
  struct ListParser: ListSource {
    let bytes: UnsafeBufferPointer<UInt8>
    let layout: RowLayout
    let position: Int
    var index = 1

    mutating func nextInteger() throws(SQLMappingError) -> Int64? {
      guard try isAtElement() else { return nil }
      return try integer()
    }

    mutating func nextValue() throws(SQLMappingError) -> SQLValue? {
      guard try isAtElement() else { return nil }
      guard bytes[index] == UInt8(ascii: "\"") else { return .integer(try integer()) }
      let string = try string()
      switch string.first {
      case UInt8(ascii: "t"):
        guard let text = String(validating: string.dropFirst(), as: UTF8.self) else {
          throw unsuitable
        }
        return .text(text)
      case UInt8(ascii: "b"):
        guard let blob = [UInt8](hex: string.dropFirst()) else { throw unsuitable }
        return .blob(blob)
      default: throw unsuitable
      }
    }

    private mutating func isAtElement() throws(SQLMappingError) -> Bool {
      guard index < bytes.count else { throw unsuitable }
      switch bytes[index] {
      case UInt8(ascii: "]"): return false
      case UInt8(ascii: ","): index += 1
      default: break
      }
      guard index < bytes.count else { throw unsuitable }
      return true
    }

    private mutating func integer() throws(SQLMappingError) -> Int64 {
      var isNegative = false
      if bytes[index] == UInt8(ascii: "-") {
        isNegative = true
        index += 1
      }
      let start = index
      // Count down, because the smallest number has no positive counterpart.
      var number: Int64 = 0
      while index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 {
        let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
        let (sum, isLarger) = tens.subtractingReportingOverflow(Int64(digit))
        if isTooLarge || isLarger { throw unsuitable }
        number = sum
        index += 1
      }
      guard index > start, index < bytes.count,
        bytes[index] == UInt8(ascii: ",") || bytes[index] == UInt8(ascii: "]"),
        isNegative || number != .min
      else { throw unsuitable }
      return isNegative ? number : -number
    }

    /// Reads the string at the index, and returns its bytes without escapes.
    private mutating func string() throws(SQLMappingError) -> [UInt8] {
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
  }
#endif
