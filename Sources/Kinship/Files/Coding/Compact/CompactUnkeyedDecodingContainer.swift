/// Reads the elements of an array in the compact form.
///
/// Three words long, it needs no memory of its own when it is handed out.
struct CompactUnkeyedDecodingContainer: UnkeyedDecodingContainer {
  private let reader: CompactReader
  private let token: UInt32
  private let serial: UInt32
  private var next: UInt32
  private var index: UInt32 = 0

  init(_ reader: CompactReader, _ token: UInt32) {
    self.reader = reader
    self.token = token
    serial = reader.serial
    next = token + 1
  }

  var codingPath: [any CodingKey] { serial == reader.serial ? reader.path(to: Int(token)) : [] }
  var currentIndex: Int { Int(index) }
  var count: Int? {
    serial == reader.serial ? Int(reader.input.pointee.tokens[Int(token)].extra) : 0
  }
  var isAtEnd: Bool {
    serial != reader.serial || next >= reader.input.pointee.tokens[Int(token)].next
  }

  mutating func decodeNil() throws -> Bool {
    guard reader.isNull(try element(Any?.self)) else { return false }
    advance()
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decodeAny(type)
  }

  @inline(__always)
  mutating func decodeAny<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try reader.value(type, at: element(type))
    advance()
    return value
  }

  mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    guard !isAtEnd else { return nil }
    let value = try decodeNil() ? nil : decode(type)
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try decoder().container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try decoder().unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try decoder()
    advance()
    return decoder
  }

  private func decoder() throws -> CompactDecoder {
    CompactDecoder(reader: reader, token: UInt32(try element((any Decoder).self)), serial: serial)
  }

  /// The token of the next element.
  @inline(__always)
  private func element<Value>(_ type: Value.Type) throws -> Int {
    try reader.check(serial)
    guard next < reader.input.pointee.tokens[Int(token)].next else {
      throw DecodingError.valueNotFound(
        type,
        .init(
          codingPath: codingPath + [PathKey(intValue: currentIndex)],
          debugDescription: "there are no more elements"))
    }
    return Int(next)
  }

  @inline(__always)
  private mutating func advance() {
    next = reader.input.pointee.tokens[Int(next)].next
    index += 1
  }
}
