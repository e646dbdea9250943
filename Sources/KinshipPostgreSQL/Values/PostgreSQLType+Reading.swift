#if PostgreSQL
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Darwin
  #endif
  internal import KinshipSQL

  extension UnsafeRawBufferPointer {
    /// Reads an integer, most significant byte first; `nil` if there are too few bytes.
    @inline(__always)
    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, at offset: Int = 0) -> Integer? {
      guard offset >= 0, count - offset >= MemoryLayout<Integer>.size else { return nil }
      return Integer(bigEndian: loadUnaligned(fromByteOffset: offset, as: Integer.self))
    }

    /// Reads an integer that takes up all the bytes.
    @inline(__always)
    fileprivate func whole<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
      count == MemoryLayout<Integer>.size ? integer(type) : nil
    }

    /// The text; `nil` if it is not UTF-8.
    ///
    /// Decoding replaces invalid UTF-8. It is several times as fast as the validating initialiser,
    /// which is not specialised.
    fileprivate var text: String? {
      guard let start = baseAddress, count > 0 else { return "" }
      var text = String(decoding: self, as: UTF8.self)
      let isUnchanged = text.withUTF8 { decoded in
        decoded.count == count && decoded.baseAddress.map { memcmp($0, start, count) } == 0
      }
      return isUnchanged ? text : nil
    }
  }

  extension PostgreSQLType.Kind {
    /// Reads an integer; a number of arbitrary precision must be an integer.
    @inline(__always)
    func integer(of bytes: UnsafeRawBufferPointer) -> Int64? {
      switch self {
      case .int8: bytes.whole(Int64.self)
      case .int4: bytes.whole(Int32.self).map { Int64($0) }
      case .int2: bytes.whole(Int16.self).map { Int64($0) }
      case .oid: bytes.whole(UInt32.self).map { Int64($0) }
      case .bool: bytes.whole(UInt8.self).flatMap { $0 <= 1 ? Int64($0) : nil }
      case .numeric: Numeric.text(of: bytes).flatMap { Int64($0) }
      default: nil
      }
    }

    /// Reads the nearest number, or a moment in seconds since 2001.
    func real(of bytes: UnsafeRawBufferPointer) -> Double? {
      switch self {
      case .float8: bytes.whole(UInt64.self).map { Double(bitPattern: $0) }
      case .float4: bytes.whole(UInt32.self).map { Double(Float(bitPattern: $0)) }
      case .numeric: Numeric.text(of: bytes).flatMap { Double($0) }
      case .timestamp: bytes.whole(Int64.self).flatMap { Moment.seconds(ofTimestamp: $0) }
      case .date: bytes.whole(Int32.self).flatMap { Moment.seconds(ofDate: $0) }
      default: integer(of: bytes).flatMap { Double(exactly: $0) }
      }
    }

    func text(of bytes: UnsafeRawBufferPointer) -> String? {
      switch self {
      case .text: bytes.text
      case .padded: bytes.text.map { Self.unpadded($0) }
      case .jsonb:
        bytes.first == 1 ? UnsafeRawBufferPointer(rebasing: bytes.dropFirst()).text : nil
      case .numeric: Numeric.text(of: bytes)
      case .char: bytes.whole(UInt8.self).map { Self.character($0) }
      case .time: bytes.whole(Int64.self).flatMap { Moment.text(ofTime: $0) }
      case .array(let element):
        ArrayCoding.values(of: bytes, element).flatMap { ArrayText.json(of: $0, element) }
      default: nil
      }
    }

    /// Reads the value in the kind that fits the type best; `nil` if it cannot be represented.
    func value(of bytes: UnsafeRawBufferPointer) -> SQLValue? {
      switch self {
      case .bool, .int2, .int4, .int8, .oid: integer(of: bytes).map { .integer($0) }
      case .float4, .float8, .timestamp, .date: real(of: bytes).map { .real($0) }
      case .numeric, .text, .padded, .jsonb, .char, .time, .array: text(of: bytes).map { .text($0) }
      case .uuid: bytes.count == 16 ? .blob(Array(bytes)) : nil
      case .bytea: .blob(Array(bytes))
      case .other: nil
      }
    }

    /// Returns a text without the spaces that pad it.
    static func unpadded(_ text: String) -> String {
      guard let last = text.utf8.lastIndex(where: { $0 != UInt8(ascii: " ") }) else { return "" }
      return String(text[...last])
    }

    /// Returns a byte in the server's format: zero as an empty text, and non-ASCII by its number.
    private static func character(_ byte: UInt8) -> String {
      if byte == 0 { return "" }
      if byte < 128 { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
  }

  extension PostgreSQLType.Kind {
    /// Reads a value from the server's text, with the same result as ``value(of:)``; `nil` for a
    /// kind whose texts are not read here.
    func value(ofText text: String) -> SQLValue? {
      switch self {
      case .bool: text == "t" ? .integer(1) : text == "f" ? .integer(0) : nil
      case .int2, .int4, .int8, .oid: Int64(text).map { .integer($0) }
      case .float4: Float(text).map { .real(Double($0)) }
      case .float8: Double(text).map { .real($0) }
      case .numeric, .text, .char, .time: .text(text)
      case .padded: .text(Self.unpadded(text))
      case .uuid: Self.uuid(text).map { .blob($0) }
      case .bytea:
        text.hasPrefix("\\x") ? [UInt8](hex: text.utf8.dropFirst(2)).map { .blob($0) } : nil
      case .jsonb, .timestamp, .date, .array, .other: nil
      }
    }

    /// Whether the text of a value does not depend on the settings of a session.
    var isPlain: Bool {
      switch self {
      case .bool, .int2, .int4, .int8, .oid, .numeric, .text, .padded, .char, .uuid: true
      default: false
      }
    }
  }
#endif
