#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Decodes all rows of a statement, one after another.
@usableFromInline
package final class RowDecoder: Decoder {
  private let row: DecodedRow
  /// The container last requested, by the type of its keys.
  ///
  /// All rows need the same container, and finding the type of another one takes longer than most
  /// of its uses.
  private var kept: (keys: ObjectIdentifier, container: AnyObject)?

  @usableFromInline package var codingPath: [any CodingKey] { [] }
  @usableFromInline package var userInfo: [CodingUserInfoKey: Any] { [:] }

  @usableFromInline
  package convenience init(_ row: borrowing SQLRow) {
    self.init(DecodedRow(row.cells, row.layout, parts: nil))
  }

  init(_ row: DecodedRow) { self.row = row }

  @usableFromInline
  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    row.keys.restart()
    if let kept, kept.keys == ObjectIdentifier(type) {
      // The types are known to be equal; a cast would look them up again.
      return unsafeDowncast(kept.container, to: KeptContainer<Key>.self).container
    }
    let container = KeyedDecodingContainer(RowDecodingContainer<Key>(row: row))
    kept = (ObjectIdentifier(type), KeptContainer(container))
    return container
  }

  @usableFromInline
  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw noKeys }

  @usableFromInline
  package func singleValueContainer() throws -> any SingleValueDecodingContainer { throw noKeys }

  private var noKeys: DecodingError {
    .dataCorrupted(
      DecodingError.Context(codingPath: [], debugDescription: "A row has a value for each key."))
  }
}

private final class KeptContainer<Key: CodingKey> {
  let container: KeyedDecodingContainer<Key>

  init(_ container: KeyedDecodingContainer<Key>) { self.container = container }
}

/// The row being decoded, with what is known from earlier rows: one object for all rows of a
/// statement.
final class DecodedRow {
  let cells: any SQLCells
  let layout: RowLayout
  let values: ValueDecoder
  /// The positions of an id's parts, for the decoder of an id of several columns.
  let parts: [String: Int]?
  let keys: KeyOrder
  /// The way of decoding, by position, for the type last requested there.
  private var kinds: [(type: ObjectIdentifier, kind: ValueDecoder.Kind)?]

  init(_ cells: any SQLCells, _ layout: RowLayout, parts: [String: Int]?) {
    self.cells = cells
    self.layout = layout
    self.parts = parts
    keys = KeyOrder(layout, parts: parts)
    values = ValueDecoder(layout.formats)
    kinds = Array(repeating: nil, count: layout.columns.count)
  }

  /// Returns how to decode values of a type, found once because that takes longer than decoding.
  func kind<T: Decodable>(of type: T.Type, at position: Int) -> ValueDecoder.Kind {
    if let known = kinds[position], known.type == ObjectIdentifier(type) { return known.kind }
    let kind = ValueDecoder.kind(of: type)
    // Change a copy and then store it, so that reads need no exclusivity check.
    var kinds = kinds
    kinds[position] = (ObjectIdentifier(type), kind)
    self.kinds = kinds
    return kind
  }
}

/// The columns of a row, by the keys of a record.
struct RowDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: DecodedRow

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] {
    row.layout.columns.compactMap(Key.init(stringValue:)).filter(contains)
  }

  func contains(_ key: Key) -> Bool { row.keys.position(of: key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { isNull(try position(of: key)) }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    let position = try position(of: key)
    guard let integer = row.cells.integer(at: position) else {
      throw mismatch(type, key, position)
    }
    return Int(truncatingIfNeeded: integer)
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try text(at: position(of: key), key)
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    let position = try position(of: key)
    guard let real = row.cells.real(at: position) else {
      throw mismatch(type, key, position)
    }
    return real
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try value(type, at: position(of: key), key)
  }

  // For optionals, these read the column once; the defaults would look up the key three times.

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    let position = try position(of: key)
    if let integer = row.cells.integer(at: position) {
      return Int(truncatingIfNeeded: integer)
    }
    if isNull(position) { return nil }
    throw mismatch(type, key, position)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    let position = try position(of: key)
    return isNull(position) ? nil : try text(at: position, key)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    let position = try position(of: key)
    if isNull(position) { return nil }
    if position < row.layout.columns.count, case .integerRef = row.kind(of: type, at: position),
      let integer = row.cells.integer(at: position)
    {
      return .some(ValueDecoder.ref(Int(truncatingIfNeeded: integer), as: type))
    }
    return try value(type, at: position, key)
  }

  // MARK: Parts

  @inline(__always)
  private func position(of key: Key) throws -> Int {
    guard let position = row.keys.position(of: key) else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: [key],
          debugDescription: "The table has no such column or list.",
          underlyingError: SQLMappingError.noColumnForProperty(
            key.stringValue, table: row.layout.table)))
    }
    return position
  }

  @inline(__always)
  private func isNull(_ position: Int) -> Bool { row.cells.isNull(at: position) }

  private func text(at position: Int, _ key: Key) throws -> String {
    guard let text = row.cells.text(at: position) else {
      throw mismatch(String.self, key, position)
    }
    return text
  }

  private func value<T: Decodable>(
    _ type: T.Type, at position: Int, _ key: Key
  ) throws -> T {
    let layout = row.layout
    if position >= layout.columns.count {
      let stored = SQLRow(row.cells, layout: layout)
      if let refs = try stored.refs(at: position) as? T { return refs }
      throw mismatch(type, key, position)
    }
    if row.parts == nil, !layout.idParts.isEmpty, key.stringValue == "id" {
      return try type.init(from: RowDecoder(DecodedRow(row.cells, layout, parts: layout.idParts)))
    }
    let values = row.values
    values.value = row.cells.value(at: position)
    do {
      let kind = row.kind(of: type, at: position)
      let decoded = try values.decode(type, kind)
      if case .uuid = kind, position == layout.idPositions.first, let uuid = decoded as? UUID,
        layout.formats.value(of: uuid) != values.value
      {
        throw layout.unsuitable(
          "a UUID as the table's `SQLFormats(uuids:)` says, as which it is looked for",
          at: position)
      }
      return decoded
    } catch let error as DecodingError {
      for number in numbers(at: position) where type != Decimal.self && type != Decimal?.self {
        values.value = number
        if let decoded = try? values.decode(type, row.kind(of: type, at: position)) {
          return decoded
        }
      }
      if case .typeMismatch(let type, let context) = error, context.underlyingError is WrongKind {
        throw mismatch(type, key, position)
      }
      throw error.within(key)
    }
  }

  /// Returns the numeric forms of an arbitrary-precision number, which the database returns as a
  /// text.
  private func numbers(at position: Int) -> [SQLValue] {
    guard row.layout.kinds[position] == .real, let text = row.cells.text(at: position) else {
      return []
    }
    let integer = Int64(text).map { SQLValue.integer($0) }
    let real = row.cells.real(at: position).map { SQLValue.real($0) }
    return [integer, real].compactMap { $0 }
  }

  private func mismatch(_ type: Any.Type, _ key: Key, _ position: Int) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: [key],
        debugDescription: "The column holds \(row.cells.kind(at: position)).",
        underlyingError: SQLRow(row.cells, layout: row.layout).wrongType("\(type)", at: position)))
  }

  // MARK: Unsupported in rows

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    throw mismatch(type, key, try position(of: key))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw mismatch([Any].self, key, try position(of: key))
  }

  func superDecoder() throws -> any Decoder { RowDecoder(row) }
  func superDecoder(forKey key: Key) throws -> any Decoder { RowDecoder(row) }
}

extension DecodingError {
  /// Returns the error with a key in front of its path.
  fileprivate func within(_ key: some CodingKey) -> DecodingError {
    func context(_ context: Context) -> Context {
      Context(
        codingPath: [key] + context.codingPath, debugDescription: context.debugDescription,
        underlyingError: context.underlyingError)
    }
    return switch self {
    case .typeMismatch(let type, let inner): .typeMismatch(type, context(inner))
    case .valueNotFound(let type, let inner): .valueNotFound(type, context(inner))
    case .keyNotFound(let missing, let inner): .keyNotFound(missing, context(inner))
    case .dataCorrupted(let inner): .dataCorrupted(context(inner))
    @unknown default: self
    }
  }
}
