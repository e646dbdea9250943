#if PostgreSQL
  internal import KinshipSQL

  extension PostgreSQLType {
    /// Returns a value as a parameter of this type.
    ///
    /// - Throws: `PostgreSQLError.notStorable` for one that the type cannot represent. Only the
    ///   server checks a text for a number of arbitrary precision, JSON or a moment.
    func parameter(_ value: SQLValue) throws(PostgreSQLError) -> Parameter {
      if case .null = value { return Parameter(number, binary: nil) }
      if let bytes = kind.bytes(value) { return Parameter(number, binary: bytes) }
      if let text = try kind.text(value) { return Parameter(number, text: text) }
      throw misfit(value)
    }

    /// Returns values as one parameter, an array of this type.
    ///
    /// - Throws: `PostgreSQLError.notStorable` if the type cannot represent one of them, or there
    ///   is no such array.
    func parameter(arrayOf values: [SQLValue]) throws(PostgreSQLError) -> Parameter {
      guard array != 0 else { throw .unsupportedType("\(name)[]", column: "") }
      if let bytes = ArrayCoding.bytes(of: values, self) { return Parameter(array, binary: bytes) }
      let texts = try values.map { value throws(PostgreSQLError) -> String? in
        if case .null = value { return nil }
        guard let element = try kind.text(value) else { throw misfit(value) }
        return ArrayCoding.quoted(element)
      }
      return Parameter(array, text: ArrayText.literal(texts))
    }

    private func misfit(_ value: SQLValue) -> PostgreSQLError {
      .notStorable("a value of kind \(value.kind.rawValue) does not fit the type \(name)")
    }
  }

  extension PostgreSQLType.Kind {
    /// Returns whether a value that can be stored reads back unchanged.
    func keeps(_ value: SQLValue) -> Bool {
      switch (self, value) {
      case (.float4, .real(let value)): value.isNaN || Double(Float(value)) == value
      case (.float4, .integer), (.float8, .integer), (.timestamp, .integer), (.date, .integer):
        false
      case (.timestamp, .text), (.date, .text), (.uuid, .text): false
      case (.time, .text(let text)): Moment.isPlain(time: text)
      case (.numeric, .text(let text)): Numeric.isPlain(text)
      default: true
      }
    }

    /// Returns a value in binary form; `nil` if it has none as this type, or only a text.
    func bytes(_ value: SQLValue) -> [UInt8]? {
      switch (self, value) {
      case (.bool, .integer(let value)): 0...1 ~= value ? [UInt8(value)] : nil
      case (.int2, .integer(let value)): Int16(exactly: value).map { Self.bytes($0) }
      case (.int4, .integer(let value)): Int32(exactly: value).map { Self.bytes($0) }
      case (.int8, .integer(let value)): Self.bytes(value)
      case (.oid, .integer(let value)): UInt32(exactly: value).map { Self.bytes($0) }
      case (.float4, .real(let value)):
        Float(value).isInfinite && value.isFinite ? nil : Self.bytes(Float(value).bitPattern)
      case (.float4, .integer(let value)):
        Float(exactly: value).map { Self.bytes($0.bitPattern) }
      case (.float8, .real(let value)): Self.bytes(value.bitPattern)
      case (.float8, .integer(let value)):
        Double(exactly: value).map { Self.bytes($0.bitPattern) }
      case (.text, .text(let value)): value.utf8.contains(0) ? nil : Array(value.utf8)
      case (.padded, .text(let value)):
        value.utf8.contains(0) || value.utf8.last == UInt8(ascii: " ") ? nil : Array(value.utf8)
      case (.jsonb, .text(let value)): value.utf8.contains(0) ? nil : [1] + Array(value.utf8)
      case (.char, .text(let value)):
        value.isEmpty
          ? [0] : value.utf8.count == 1 && !value.utf8.contains(0) ? Array(value.utf8) : nil
      case (.uuid, .blob(let value)): value.count == 16 ? value : nil
      case (.uuid, .text(let value)): Self.uuid(value)
      case (.bytea, .blob(let value)): value
      case (.timestamp, .real(let value)):
        Moment.timestamp(ofSeconds: value).map { Self.bytes($0) }
      case (.timestamp, .integer(let value)):
        Moment.timestamp(ofSeconds: Double(value)).map { Self.bytes($0) }
      case (.date, .real(let value)): Moment.date(ofSeconds: value).map { Self.bytes($0) }
      case (.date, .integer(let value)):
        Moment.date(ofSeconds: Double(value)).map { Self.bytes($0) }
      default: nil
      }
    }

    /// Returns a value as a text that the server reads as this type; `nil` if it has none.
    func text(_ value: SQLValue) throws(PostgreSQLError) -> String? {
      switch (self, value) {
      case (.array, .text(let json)): return try ArrayText.literal(ofJSON: json)
      case (.padded, .text(let text)) where text.utf8.last == UInt8(ascii: " "):
        throw .notStorable("a text ends with a space, which char(n) would lose; use the type text")
      case (.numeric, .integer(let value)): return String(value)
      case (.numeric, .real(let value)):
        return value.isInfinite ? (value < 0 ? "-Infinity" : "Infinity") : "\(value)"
      case (.numeric, .text(let text)), (.time, .text(let text)), (.date, .text(let text)),
        (.timestamp, .text(let text)), (.char, .text(let text)):
        guard !text.utf8.contains(0) else { return nil }
        return text
      default: return nil
      }
    }

    /// Appends a value's length and binary form, and returns whether it has one.
    func append(_ value: SQLValue, to bytes: inout [UInt8]) -> Bool {
      // For the few kinds of most values, create no array.
      switch (self, value) {
      case (_, .null): bytes.append(bigEndian: Int32(-1))
      case (.int8, .integer(let value)):
        bytes.append(bigEndian: Int32(8))
        bytes.append(bigEndian: value)
      case (.float8, .real(let value)):
        bytes.append(bigEndian: Int32(8))
        bytes.append(bigEndian: value.bitPattern)
      case (.text, .text(let value)):
        if value.utf8.contains(0) { return false }
        bytes.append(bigEndian: Int32(clamping: value.utf8.count))
        bytes.append(contentsOf: value.utf8)
      default:
        guard let form = self.bytes(value) else { return false }
        bytes.append(bigEndian: Int32(clamping: form.count))
        bytes += form
      }
      return true
    }

    static func bytes(_ integer: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: integer.bigEndian) { Array($0) }
    }

    /// Returns the 16 bytes of 32 digits with hyphens.
    static func uuid(_ text: String) -> [UInt8]? {
      let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
      return digits.count == 32 ? [UInt8](hex: digits) : nil
    }
  }

  extension [UInt8] {
    @inline(__always)
    mutating func append<Integer: FixedWidthInteger>(bigEndian integer: Integer) {
      Swift.withUnsafeBytes(of: integer.bigEndian) { append(contentsOf: $0) }
    }
  }

  /// A value for a parameter of a statement, in the form in which it is sent.
  struct Parameter: Hashable, Sendable {
    /// The OID of the type; 0 if the statement determines it.
    let type: UInt32
    /// Whether the bytes are the type's binary form, not its text.
    let isBinary: Bool
    /// The value; `nil` for NULL.
    let bytes: [UInt8]?

    init(_ type: UInt32, binary bytes: [UInt8]?) {
      self.type = type
      isBinary = true
      self.bytes = bytes
    }

    init(_ type: UInt32, text: String) {
      self.type = type
      isBinary = false
      bytes = Array(text.utf8)
    }
  }

  extension [Parameter] {
    /// Runs a closure with pointers to the values, their lengths and their formats, as libpq
    /// requires.
    ///
    /// A text ends with a zero byte.
    func withPointers<Result>(
      _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) throws -> Result
    ) rethrows -> Result {
      var all: [CChar] = []
      all.reserveCapacity(reduce(0) { $0 + ($1.bytes?.count ?? 0) + 1 })
      var starts: [Int?] = []
      for parameter in self {
        starts.append(parameter.bytes == nil ? nil : all.count)
        guard let bytes = parameter.bytes else { continue }
        bytes.withUnsafeBytes { all.append(contentsOf: $0.bindMemory(to: CChar.self)) }
        all.append(0)
      }
      let lengths = map { Int32(clamping: $0.bytes?.count ?? 0) }
      let formats = map { Int32($0.isBinary ? 1 : 0) }
      return try all.withUnsafeBufferPointer { buffer in
        try body(
          starts.map { start in start.flatMap { buffer.baseAddress?.advanced(by: $0) } }, lengths,
          formats)
      }
    }
  }
#endif
