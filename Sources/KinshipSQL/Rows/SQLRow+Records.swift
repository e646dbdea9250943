public import Kinship

extension SQLRow {
  /// Reads all rows, each into a record, as far as that is possible.
  ///
  /// It is written to be specialised where a table is declared: nothing generic is left in the
  /// loop.
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

  /// Goes to the next row, if there is one, after so many.
  @usableFromInline
  package func advance(after count: Int) throws -> Bool {
    if count & 0x3FF == 0x3FF { try Task.checkCancellation() }
    return try cells.advance()
  }

  /// What is to be said of a row that is no record.
  @usableFromInline
  package func failure<R: GraphRecord>(
    _ type: R.Type, _ error: any Error
  ) throws -> PartialAnswer<R>.Failure {
    if error is CancellationError { throw error }
    let ref = (id(of: type) as? R.ID).map { Ref<R>($0) }
    return PartialAnswer.Failure(ref, cause: untranslatable(type, error))
  }

  /// The error for a row that is no record.
  private func untranslatable<R: GraphRecord>(_ type: R.Type, _ error: any Error) -> any Error {
    // A translator may read something else through the cache, and say already what is wrong.
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

  /// The id of the row: as the record's id if it is one, else as it is stored.
  private func id<R: GraphRecord>(of type: R.Type) -> any Hashable & Sendable {
    if let id = recordID(of: type) { return id }
    let values = layout.idPositions.map { storedValue(at: $0) }
    return values.count == 1 ? values[0] : values
  }

  /// The id of the row; `nil` if what is stored is none.
  package func recordID<R: GraphRecord>(of type: R.Type) -> R.ID? {
    if layout.idPositions.count == 1 {
      let value = storedValue(at: layout.idPositions[0])
      return try? IDCoding.id(R.ID.self, from: value, layout.formats)
    }
    let parts = RowDecoder(self).decoderOfParts()
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
