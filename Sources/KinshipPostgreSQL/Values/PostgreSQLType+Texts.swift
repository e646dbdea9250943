#if PostgreSQL
  internal import KinshipSQL

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
      case .bytea: Self.bytes(ofText: text).map { .blob($0) }
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

    /// Reads bytes of two digits each: `\x00ff`.
    private static func bytes(ofText text: String) -> [UInt8]? {
      guard text.hasPrefix("\\x") else { return nil }
      let digits = text.utf8.dropFirst(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
      guard digits.count == text.utf8.count - 2, digits.count.isMultiple(of: 2) else { return nil }
      return stride(from: 0, to: digits.count, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
      }
    }
  }
#endif
