#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A position between two pages of a query's result.
///
/// It holds the values that a record is sorted by. So it keeps its position while records are
/// inserted and removed, including that record. It is valid for its query, whose offset and limit
/// may differ. With another filter or order, it throws
/// ``KinshipError/Misuse/foreignCursor(type:)``, but conditions that no store understands, such as
/// closures, are not distinguished.
///
/// It is encoded as text, which can be part of a URL. The text reveals the values that the record
/// is sorted by, and is not protected against tampering: a modified text names another position.
public struct PageCursor<R: GraphRecord>: Hashable, Sendable {
  /// The fingerprint of the query.
  private let query: UInt64
  /// The number of records up to the position, without those before the first page.
  let count: Int
  private let keys: [CodedSortKey]

  init(_ record: R, count: Int, in query: RecordQuery<R>, _ fingerprint: UInt64) throws {
    self.query = fingerprint
    self.count = count
    keys = try query.order.map { try CodedSortKey($0.key(record)) }
  }

  /// Returns the cursor's position in the order of a query.
  ///
  /// - Throws: `KinshipError.misuse(.foreignCursor)`.
  func position(
    in query: RecordQuery<R>, _ fingerprint: UInt64
  ) throws(KinshipError) -> SortPosition<R> {
    guard self.query == fingerprint, keys.count == query.order.count,
      let keys = try? zip(query.order, keys).map({ try $1.key($0.keyType) })
    else { throw .misuse(.foreignCursor(type: R.recordName)) }
    return SortPosition(keys: keys, in: query.order)
  }
}

extension PageCursor: Codable {
  /// The parts one after another, without names.
  private struct Parts: Codable {
    let query: UInt64
    let count: Int
    var keys: [CodedSortKey] = []

    init(_ cursor: PageCursor) { (query, count, keys) = (cursor.query, cursor.count, cursor.keys) }

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      query = try container.decode(UInt64.self)
      count = try container.decode(Int.self)
      while !container.isAtEnd {
        let names = try container.decode([String].self)
        keys.append(CodedSortKey(names: names, bytes: try container.decode([UInt8].self)))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(query)
      try container.encode(count)
      for key in keys {
        try container.encode(key.names)
        try container.encode(key.bytes)
      }
    }
  }

  /// Decodes a cursor from text.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError` if the text was not encoded from a cursor.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    var text = try container.decode(String.self)
    text.replace("-", with: "+")
    text.replace("_", with: "/")
    text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    do {
      guard let data = Data(base64Encoded: text) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "not Base64")
      }
      let parts = try Array(data).withUnsafeBytes {
        try CompactCoder.compact.makeDecoder(keys: []).decode(Parts.self, from: $0)
      }
      self.init(parts)
    } catch {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "This text is no cursor: \(error).")
    }
  }

  private init(_ parts: Parts) {
    (query, count, keys) = (parts.query, max(0, parts.count), parts.keys)
  }

  /// Encodes the cursor as text.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Any error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var bytes: [UInt8] = []
    try CompactCoder.compact.makeEncoder(keys: []).encode(Parts(self), into: &bytes)
    var text = Data(bytes).base64EncodedString()
    text.replace("+", with: "-")
    text.replace("/", with: "_")
    text.replace("=", with: "")
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// A sort key, as bytes.
struct CodedSortKey: Hashable, Sendable {
  /// The names of the properties in the value.
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
