/// The encoded fields of a record by their keys, with their values unchanged, from which another
/// record can be decoded.
///
/// Nothing is written as bytes. It merges changes to one record from two sources.
struct CodedFields {
  enum Field {
    case null
    case value(any Encodable)
  }

  fileprivate var fields: [String: Field] = [:]

  fileprivate init() {}

  /// The values of a record or a part of one; `nil` if it does not encode them by keys.
  private init?(of value: some Encodable) {
    let encoder = FieldEncoder()
    guard (try? value.encode(to: encoder)) != nil, encoder.isKeyed else { return nil }
    fields = encoder.result.fields
  }

  /// Returns a record with the differences between two others; `nil` if the differences cannot be
  /// found, or such a record cannot be decoded.
  static func merging<Value: Sendable>(_ value: Value, from old: Value, to new: Value) -> Value? {
    func merge<V: Codable>(_ type: V.Type) -> Value? {
      guard let value = value as? V, let old = old as? V, let new = new as? V else { return nil }
      return merged(value, from: old, to: new) as? Value
    }
    return (Value.self as? any Codable.Type).flatMap { merge($0) }
  }

  private static func merged<Value: Codable>(
    _ value: Value, from old: Value, to new: Value
  ) -> Value? {
    guard var fields = CodedFields(of: value), let before = CodedFields(of: old),
      let after = CodedFields(of: new), coversAll(after, of: new)
    else { return nil }
    for name in Set(before.fields.keys).union(after.fields.keys)
    where !areEqual(before.fields[name], after.fields[name]) {
      fields.fields[name] = after.fields[name]
    }
    return try? Value(from: FieldDecoder(fields: fields))
  }

  /// Returns whether the fields cover all of a value, or may do so if it is not `Equatable`.
  private static func coversAll<Value: Codable>(_ fields: CodedFields, of value: Value) -> Bool {
    guard let decoded = try? Value(from: FieldDecoder(fields: fields)) else { return false }
    return (value as? any Equatable).map { Values.isEqual($0, decoded) } ?? true
  }

  private static func areEqual(_ left: Field?, _ right: Field?) -> Bool {
    switch (left, right) {
    case (nil, nil), (.null, .null): return true
    case (.value(let left), .value(let right)):
      if let left = left as? any Equatable { return Values.isEqual(left, right) }
      guard let left = CodedFields(of: left), let right = CodedFields(of: right) else {
        return false
      }
      return left.fields.count == right.fields.count
        && left.fields.allSatisfy { areEqual($0.value, right.fields[$0.key]) }
    default: return false
    }
  }
}

/// An encoder that keeps the values of keys unchanged, and accepts no others.
private final class FieldEncoder: Encoder, UnkeyedEncodingContainer, SingleValueEncodingContainer {
  struct NotKeyed: Error {}

  var result = CodedFields()
  /// Whether everything was encoded by keys of one level.
  var isKeyed = true

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var count: Int { 0 }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { refusing }
  func singleValueContainer() -> any SingleValueEncodingContainer { refusing }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { refusing }
  func superEncoder() -> any Encoder { refusing }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> { refusing.container(keyedBy: keyType) }

  func encodeNil() throws { throw NotKeyed() }
  func encode<T: Encodable>(_ value: T) throws { throw NotKeyed() }

  /// The encoder, after a request for anything but values by keys.
  var refusing: FieldEncoder {
    isKeyed = false
    return self
  }

  struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FieldEncoder

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { encoder.result.fields[key.stringValue] = .null }

    func encode<T: Encodable>(_ value: T, forKey key: Key) {
      let isNil = (T.self as? any ErasedOptional.Type)?.isNil(value) ?? false
      encoder.result.fields[key.stringValue] = isNil ? .null : .value(value)
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { encoder.nestedContainer(keyedBy: keyType) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder.refusing
    }

    func superEncoder() -> any Encoder { encoder.refusing }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.refusing }
  }
}

/// A decoder that returns the kept values.
private struct FieldDecoder: Decoder {
  let fields: CodedFields

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed(fields: fields.fields))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw FieldEncoder.NotKeyed() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw FieldEncoder.NotKeyed()
  }

  struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: [String: CodedFields.Field]

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { fields.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }

    func decodeNil(forKey key: Key) -> Bool {
      if case .value = fields[key.stringValue] { false } else { true }
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      guard case .value(let value) = fields[key.stringValue], let value = value as? T else {
        throw FieldEncoder.NotKeyed()
      }
      return value
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { throw FieldEncoder.NotKeyed() }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw FieldEncoder.NotKeyed()
    }

    func superDecoder() throws -> any Decoder { throw FieldEncoder.NotKeyed() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw FieldEncoder.NotKeyed() }
  }
}
