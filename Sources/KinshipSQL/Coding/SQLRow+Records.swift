public import Kinship

extension SQLRow {
  /// Reads all rows into records, and reports the rows that are not records.
  ///
  /// The code is specialised where a table is declared, so the loop contains nothing generic.
  @inlinable
  @inline(__always)
  package func records<R: GraphRecord>(
    expecting count: Int, _ translate: (borrowing SQLRow) throws -> R
  ) throws -> PartialAnswer<R> {
    var records: [R] = []
    var failures: [PartialAnswer<R>.Failure] = []
    records.reserveCapacity(count)
    while try advance(after: records.count &+ failures.count) {
      do {
        records.append(try translate(self))
      } catch {
        failures.append(try failure(R.self, error))
      }
    }
    return PartialAnswer(records, failures: failures)
  }

  /// Moves to the next row, if there is one, after `count` rows.
  @usableFromInline
  package func advance(after count: Int) throws -> Bool {
    if count & 0x3FF == 0x3FF { try Task.checkCancellation() }
    return try cells.advance()
  }

  /// Returns the failure to report for a row that is not a record.
  @usableFromInline
  package func failure<R: GraphRecord>(
    _ type: R.Type, _ error: any Error
  ) throws -> PartialAnswer<R>.Failure {
    if error is CancellationError { throw error }
    let ref = (id(of: type) as? R.ID).map { Ref<R>($0) }
    return PartialAnswer.Failure(ref, cause: untranslatable(type, error))
  }

  /// Returns the error for a row that is not a record.
  private func untranslatable<R: GraphRecord>(_ type: R.Type, _ error: any Error) -> any Error {
    // A translator may read through the cache, which throws an error of its own.
    if error is KinshipError { return error }
    let field: String? =
      switch error {
      case SQLMappingError.wrongType(_, let column, _, _): column
      case SQLMappingError.unsuitableValue(_, let column, _): column
      case let error as DecodingError: error.field
      default: nil
      }
    return KinshipError.untranslatable(
      type: R.recordName, id: id(of: type), field: field, cause: error)
  }

  /// Returns the id of the row: the record's id if it is valid, otherwise the stored value.
  private func id<R: GraphRecord>(of type: R.Type) -> any Hashable & Sendable {
    if let id = recordID(of: type) { return id }
    let values = layout.idPositions.map { storedValue(at: $0) }
    return values.count == 1 ? values[0] : values
  }

  /// Returns the id of the row; `nil` if the stored value is not an id.
  package func recordID<R: GraphRecord>(of type: R.Type) -> R.ID? {
    if layout.idPositions.count == 1 {
      let value = storedValue(at: layout.idPositions[0])
      return try? IDCoding.id(R.ID.self, from: value, layout.formats)
    }
    let parts = RowDecoder(DecodedRow(cells, layout, parts: layout.idParts))
    return try? (R.ID.self as? any Decodable.Type)?.init(from: parts) as? R.ID
  }
}

extension DecodingError {
  /// The name of the property that could not be decoded.
  fileprivate var field: String? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      context.codingPath.first?.stringValue
    case .keyNotFound(let key, _): key.stringValue
    @unknown default: nil
    }
  }
}
