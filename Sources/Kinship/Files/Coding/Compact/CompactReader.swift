/// Reads values from the bytes of one record, which may be anything.
///
/// The bytes are first passed through from end to end and their tokens noted. Every bound, length,
/// key and depth is checked there, once; reading a value then relies on it.
final class CompactReader {
  let keys: [String]
  let userInfo: [CodingUserInfoKey: any Sendable]
  let codes: [String: UInt32]
  private let tables = KeyCodeTables()
  let leaves = LeafTypes()

  /// What changes with every record, behind a pointer: access to a class's properties is checked at
  /// run time.
  let input: UnsafeMutablePointer<CompactInput>
  /// The entries of large objects, by their tokens.
  var entries: [Int: CompactEntries] = [:]

  /// The code of a key that is not among the keys: no entry has it.
  static let unknownCode = UInt32.max - 1

  init(keys: [String], userInfo: [CodingUserInfoKey: any Sendable]) {
    self.keys = keys
    self.userInfo = userInfo
    codes = Dictionary(
      keys.enumerated().map { ($1, UInt32(truncatingIfNeeded: $0 + 1)) },
      uniquingKeysWith: { first, _ in first })
    input = .allocate(capacity: 1)
    input.initialize(to: CompactInput())
  }

  deinit {
    input.deinitialize(count: 1)
    input.deallocate()
  }

  var serial: UInt32 {
    @inline(__always) get { input.pointee.serial }
  }

  /// Whether two keys are the same: codes would not tell keys apart.
  var hasRepeatedKeys: Bool { codes.count < keys.count }

  /// Decodes a value from all of some bytes.
  func decode<Value: Decodable>(_ type: Value.Type, from bytes: UnsafeRawBufferPointer) throws
    -> Value
  {
    guard let start = bytes.baseAddress, !bytes.isEmpty, bytes.count <= Int32.max else {
      throw corrupted("there are no bytes, or too many")
    }
    guard !hasRepeatedKeys else { throw corrupted("a key is there twice") }
    input.pointee.base = start
    input.pointee.count = bytes.count
    defer { seal() }
    try findTokens()
    return try value(type, at: 0)
  }

  /// Makes decoders and containers known so far unusable: their bytes may be gone.
  private func seal() {
    input.pointee.serial &+= 1
    input.pointee.count = 0
    input.pointee.tokens.shrink(to: 0)
    if !entries.isEmpty { entries.removeAll() }
  }

  /// The codes of a type of keys, for ``code(of:_:)``.
  @inline(__always)
  func codes<Key: CodingKey>(of type: Key.Type) -> KeyCodeTables.Codes? { tables.codes(of: type) }

  /// The code of a key.
  @inline(__always)
  func code<Key: CodingKey>(of key: Key, _ known: KeyCodeTables.Codes?) -> UInt32 {
    guard let known else { return codes[key.stringValue] ?? Self.unknownCode }
    let byte = KeyCodeTables.byte(of: key)
    if known[byte] == 0 { known[byte] = codes[key.stringValue] ?? Self.unknownCode }
    return known[byte]
  }
}
