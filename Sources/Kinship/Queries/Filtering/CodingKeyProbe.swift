#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Finds the coding key of a property: decodes two records that differ in the value of one key, and
/// looks whether the property differs.
enum CodingKeyProbe {
  /// Returns the coding key of a property; `nil` if it cannot be found.
  static func key(of property: AnyKeyPath) -> String? {
    func open<R: Decodable>(_ type: R.Type) -> String? {
      func value(_ decoder: ProbeDecoder) -> String? {
        (try? R(from: decoder)).flatMap { record in
          (record as Any)[keyPath: property].map { String(reflecting: $0) }
        }
      }
      let probe = ProbeDecoder(isVaried: false)
      guard let plain = value(probe) else { return nil }
      return probe.keys.first { value(ProbeDecoder(varying: $0)).map { $0 != plain } ?? false }
    }
    return (type(of: property).rootType as? any Decodable.Type).flatMap { open($0) }
  }
}

/// Decodes any type from one of two sample values of each simple type.
private final class ProbeDecoder: Decoder, UnkeyedDecodingContainer, SingleValueDecodingContainer {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  /// Whether values are the second samples instead of the first.
  let isVaried: Bool
  /// The key whose value alone is a second sample.
  private let varied: String?
  private(set) var keys: [String] = []
  /// The number of values around the current one: a type may contain itself.
  private var depth = 0
  /// The number of elements that were decoded, if it is a list.
  private(set) var currentIndex = 0

  init(isVaried: Bool, depth: Int = 0) {
    (self.isVaried, varied, self.depth) = (isVaried, nil, depth)
  }

  init(varying key: String) { (isVaried, varied) = (false, key) }

  func value<Value: Decodable>(_ key: some CodingKey) throws -> Value {
    keys.append(key.stringValue)
    let isVaried = isVaried || key.stringValue == varied
    return try ProbeDecoder(isVaried: isVaried, depth: depth).value()
  }

  func value<Value: Decodable>() throws -> Value {
    func choose<Choice: CaseIterable>(_ type: Choice.Type) -> Value? {
      (isVaried ? Array(type.allCases).last : type.allCases.first) as? Value
    }
    if let sample = samples.lazy.compactMap({ $0 as? Value }).first { return sample }
    if let type = Value.self as? any CaseIterable.Type, let choice = choose(type) { return choice }
    if depth == 32 {
      throw KinshipError.invalidSchema(.notCodable(type: String(describing: Value.self)))
    }
    depth += 1
    defer { depth -= 1 }
    return try Value(from: self)
  }

  private var samples: [any Sendable] {
    let number = isVaried ? 1 : 0
    return [
      isVaried, isVaried ? "1" : "", Double(number), Float(number), number, Int8(number),
      Int16(number), Int32(number), Int64(number), UInt(number), UInt8(number), UInt16(number),
      UInt32(number), UInt64(number),
      UUID(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    ]
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Fields<Key>(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    ProbeDecoder(isVaried: isVaried, depth: depth)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { unkeyedContainer() }
  func superDecoder() -> any Decoder { self }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedDecodingContainer<Nested> { container(keyedBy: type) }

  var count: Int? { isVaried ? 1 : 0 }
  var isAtEnd: Bool { currentIndex >= (isVaried ? 1 : 0) }

  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    currentIndex += 1
    return try value()
  }

  private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ProbeDecoder
    var codingPath: [any CodingKey] { [] }
    /// Only dictionaries look for the keys.
    var allKeys: [Key] { decoder.isVaried ? [Key(stringValue: "1")].compactMap { $0 } : [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try decoder.value(key)
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
      decoder.container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
      decoder.unkeyedContainer()
    }
    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) -> any Decoder { decoder }
  }
}
