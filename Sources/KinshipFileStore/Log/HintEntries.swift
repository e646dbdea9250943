internal import Kinship

/// The entries of a hint, in the order of the log.
struct HintEntries: Sendable {
  private(set) var count = 0
  private(set) var bytes: [UInt8] = []

  init() {}

  init(count: Int, bytes: [UInt8]) {
    self.count = count
    self.bytes = bytes
  }

  /// Appends an entry: kind, type and id, and its position if it is put.
  mutating func append(
    _ kind: LogEntry.Kind, type: Int, id: some Collection<UInt8>, offset: Int, length: Int
  ) {
    count += 1
    bytes.append(kind.rawValue)
    bytes.append(varint: type)
    bytes.append(contentsOf: id)
    guard kind == .put else { return }
    bytes.append(varint: offset)
    bytes.append(varint: length)
  }

  /// Calls a closure with each entry.
  ///
  /// - Throws: `KinshipError.damaged`, and the errors of the closure.
  func forEach(
    path: String,
    _ body: (LogEntry.Kind, Int, UnsafeRawBufferPointer, (offset: Int, length: Int))
      throws(KinshipError) -> Void
  ) throws(KinshipError) {
    try bytes.span.bytes.withUnsafeBytes { bytes throws(KinshipError) in
      var reader = ByteReader(bytes, of: path, at: 0)
      for _ in 0..<count {
        guard let kind = LogEntry.Kind(rawValue: try reader.read(UInt8.self)) else {
          throw reader.damage("an entry is of no known kind")
        }
        let type = try reader.readNumber()
        let start = reader.offset
        try IDForm.skip(&reader)
        let id = reader.bytes(from: start)
        let isPut = kind == .put
        let offset = isPut ? try reader.readNumber() : 0
        let length = isPut ? try reader.readNumber() : 0
        try body(kind, type, id, (offset, length))
      }
      try reader.finish()
    }
  }
}
