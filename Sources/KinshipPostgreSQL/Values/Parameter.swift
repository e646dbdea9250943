#if PostgreSQL
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
