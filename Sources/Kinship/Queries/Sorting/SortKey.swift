/// What a record is sorted by in one term of an order, where it is kept without the record.
protocol SortKey: Sendable {
  /// The value; `nil` if the record has none.
  var sorted: (any Sendable)? { get }

  /// Its coded form.
  ///
  /// - Throws: `KinshipError.notCodable`, and what encoding the value throws.
  func encoded() throws -> CodedSortKey
}

/// A key as bytes.
struct CodedSortKey: Hashable, Sendable {
  /// The names of properties in the value.
  let names: [String]
  let bytes: [UInt8]
}

/// A key of a property's type.
struct TypedSortKey<Value: Sendable>: SortKey {
  let value: Value?

  init(value: Value?) { self.value = value }

  var sorted: (any Sendable)? { value }

  func encoded() throws -> CodedSortKey {
    guard let value else { return try Self.encoded([] as [Bool]) }
    guard let value = value as? any Encodable else {
      throw KinshipError.notCodable(type: String(describing: Value.self))
    }
    func open<V: Encodable>(_ value: V) throws -> CodedSortKey { try Self.encoded([value]) }
    return try open(value)
  }

  private static func encoded<V: Encodable>(_ values: [V]) throws -> CodedSortKey {
    let encoder = CompactCoder.compact.makeEncoder(keys: [])
    var bytes: [UInt8] = []
    try encoder.encode(values, into: &bytes)
    return CodedSortKey(names: encoder.keys, bytes: bytes)
  }

  init(_ coded: CodedSortKey) throws {
    guard let type = Value.self as? any Decodable.Type else {
      throw KinshipError.notCodable(type: String(describing: Value.self))
    }
    func decode<V: Decodable>(_ type: V.Type) throws -> Value? {
      let decoder = CompactCoder.compact.makeDecoder(keys: coded.names)
      return try coded.bytes.withUnsafeBytes { try decoder.decode([V].self, from: $0) }.first
        as? Value
    }
    value = try decode(type)
  }
}
