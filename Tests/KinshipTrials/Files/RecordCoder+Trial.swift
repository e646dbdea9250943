import Kinship

extension RecordCoder {
  /// The bytes of one value, and the keys that they use.
  func encoded(_ value: some Encodable) throws -> (bytes: [UInt8], keys: [String]) {
    let encoder = makeEncoder(keys: [])
    var bytes: [UInt8] = []
    try encoder.encode(value, into: &bytes)
    return (bytes, encoder.keys)
  }

  func decoded<Value: Decodable>(
    _ type: Value.Type = Value.self, from bytes: [UInt8], keys: [String] = []
  ) throws -> Value {
    try bytes.withUnsafeBytes { try makeDecoder(keys: keys).decode(type, from: $0) }
  }

  /// Encodes and decodes a value.
  func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
    try converted(value, to: Value.self)
  }

  /// Encodes a value and decodes it as another type.
  func converted<Value: Decodable>(_ value: some Encodable, to type: Value.Type) throws -> Value {
    let (bytes, keys) = try encoded(value)
    return try decoded(type, from: bytes, keys: keys)
  }
}
