/// What a record is sorted by, as bytes.
struct CodedSortKey: Hashable, Sendable {
  /// The names of properties in the value.
  let names: [String]
  let bytes: [UInt8]

  init(names: [String], bytes: [UInt8]) { (self.names, self.bytes) = (names, bytes) }

  init(_ key: some SortKey) throws {
    let encoder = CompactCoder.compact.makeEncoder(keys: [])
    var bytes: [UInt8] = []
    try encoder.encode(key, into: &bytes)
    self.init(names: encoder.keys, bytes: bytes)
  }

  func key(_ type: any SortKey.Type) throws -> any SortKey {
    func decode<Key: SortKey>(_ type: Key.Type) throws -> any SortKey {
      let decoder = CompactCoder.compact.makeDecoder(keys: names)
      return try bytes.withUnsafeBytes { try decoder.decode(type, from: $0) }
    }
    return try decode(type)
  }
}
