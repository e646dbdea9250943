#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Refuses values that contain a relative URL, because Foundation's encoder merges it with its
/// base.
///
/// That encoder never calls a URL's own `encode(to:)`, so values are encoded a second time to look
/// for one.
struct RelativeURLFinder: Encoder, SingleValueEncodingContainer, UnkeyedEncodingContainer {
  /// Types that encode themselves, or contain no URL.
  private static let leaves: Set<ObjectIdentifier> = {
    let types: [Any.Type] = [
      Bool.self, String.self, Double.self, Float.self, Int.self, Int8.self, Int16.self, Int32.self,
      Int64.self, Int128.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
      UInt128.self, Date.self, Data.self, Decimal.self,
    ]
    return Set(types.map { ObjectIdentifier($0) })
  }()

  let userInfo: [CodingUserInfoKey: Any]
  var codingPath: [any CodingKey] { [] }
  private(set) var count = 0

  init(userInfo: [CodingUserInfoKey: Any]) { self.userInfo = userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed<Key>(finder: RelativeURLFinder(userInfo: userInfo)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { RelativeURLFinder(userInfo: userInfo) }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  mutating func encodeNil() { count += 1 }
  mutating func encode(_ value: Int128) { count += 1 }
  mutating func encode(_ value: UInt128) { count += 1 }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    count += 1
    if Self.leaves.contains(ObjectIdentifier(Value.self)) { return }
    guard Value.self == URL.self, let url = value as? URL else {
      return try value.encode(to: RelativeURLFinder(userInfo: userInfo))
    }
    guard let base = url.baseURL else { return }
    throw EncodingError.invalidValue(
      url,
      EncodingError.Context(
        codingPath: [],
        debugDescription: """
          The URL “\(url.relativeString)” is relative to “\(base.absoluteString)”, and JSON would \
          lose that; store its `absoluteURL`.
          """))
  }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) -> KeyedEncodingContainer<Key> {
    count += 1
    return container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    count += 1
    return unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    count += 1
    return RelativeURLFinder(userInfo: userInfo)
  }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var finder: RelativeURLFinder
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {}
    func encode(_ value: Int128, forKey key: Key) {}
    func encode(_ value: UInt128, forKey key: Key) {}
    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      try finder.encode(value)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { finder.container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      finder.unkeyedContainer()
    }

    func superEncoder() -> any Encoder { finder }
    func superEncoder(forKey key: Key) -> any Encoder { finder }
  }
}
