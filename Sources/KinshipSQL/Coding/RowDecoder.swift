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

  /// Returns a decoder for an id of several columns.
  package func decoderOfParts() -> RowDecoder { RowDecoder(row.ofParts) }

  @usableFromInline
  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    row.restart()
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
