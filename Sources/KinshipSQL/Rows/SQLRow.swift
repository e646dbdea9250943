public import Kinship

/// The row that a ``RowTranslator`` reads; you address its columns by position.
///
/// A row converts nothing. If a column holds another kind of value than you ask for, the call
/// throws an error that names the table, the column and the row. You may read an integer as a
/// floating-point number, because databases may store 5.0 as 5.
public struct SQLRow: ~Copyable {
  @usableFromInline package let cells: any SQLCells
  package let layout: RowLayout

  package init(_ cells: any SQLCells, layout: RowLayout) {
    self.cells = cells
    self.layout = layout
  }

  /// Returns whether a column holds NULL.
  ///
  /// - Parameter position: The column's position.
  /// - Returns: Whether it does.
  @inlinable
  public func isNull(at position: Int) -> Bool { cells.isNull(at: position) }

  /// Reads an integer.
  ///
  /// - Parameter position: The column's position.
  /// - Returns: The integer.
  /// - Throws: `SQLMappingError.wrongType`.
  @inlinable
  public func integer(at position: Int) throws(SQLMappingError) -> Int64 {
    guard let integer = cells.integer(at: position) else {
      throw wrongType("INTEGER", at: position)
    }
    return integer
  }

  /// Reads a floating-point number.
  ///
  /// - Parameter position: The column's position.
  /// - Returns: The number.
  /// - Throws: `SQLMappingError.wrongType`, also for an integer that no floating-point number
  ///   equals.
  @inlinable
  public func real(at position: Int) throws(SQLMappingError) -> Double {
    guard let real = cells.real(at: position) else { throw wrongType("REAL", at: position) }
    return real
  }

  /// Reads a text.
  ///
  /// - Parameter position: The column's position.
  /// - Returns: The text.
  /// - Throws: `SQLMappingError.wrongType`, `.unsuitableValue` if the text is not UTF-8.
  @inlinable
  public func text(at position: Int) throws(SQLMappingError) -> String {
    guard let text = cells.text(at: position) else { throw noText(at: position) }
    return text
  }

  @usableFromInline
  func noText(at position: Int) -> SQLMappingError {
    cells.kind(at: position) == SQLKind.text.rawValue
      ? layout.unsuitable("UTF-8", at: position) : wrongType("TEXT", at: position)
  }

  /// Returns the value of a column, whatever its kind.
  ///
  /// - Parameter position: The column's position.
  /// - Returns: The value. A text that is not UTF-8 is returned as a blob.
  public func storedValue(at position: Int) -> SQLValue {
    cells.value(at: position)
  }

  /// Reads a value.
  ///
  /// ```swift
  /// func record(from row: borrowing SQLRow) throws -> Track {
  ///   Track(id: try row.value(at: 0), name: try row.value(at: 1), album: try row.value(at: 2))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - position: The column's position.
  ///   - type: The type of the value.
  /// - Returns: The value.
  /// - Throws: `SQLMappingError.wrongType` if the column holds no such value.
  @inlinable
  public func value<Value: SQLConvertible>(
    at position: Int, as type: Value.Type = Value.self
  ) throws(SQLMappingError) -> Value {
    try Value.read(from: self, at: position)
  }

  /// Reads a list: its refs, in their order.
  ///
  /// - Parameters:
  ///   - index: The index of the list among those of the table.
  ///   - type: The type of the records that the refs name.
  /// - Returns: The refs.
  /// - Throws: `SQLMappingError` if an element of the list is not an id of the type.
  public func list<Target: GraphRecord>(
    _ index: Int, of type: Target.Type = Target.self
  ) throws -> [Ref<Target>] {
    guard layout.lists.indices.contains(index) else {
      throw SQLMappingError.noColumn("list \(index)", table: layout.table)
    }
    let refs = try refs(at: layout.columns.count + index)
    guard let refs = refs as? [Ref<Target>] else {
      throw wrongType("refs to \(Target.recordName)", at: layout.columns.count + index)
    }
    return refs
  }

  /// Returns the refs of a list, as an array of refs to its targets.
  package func refs(at position: Int) throws -> any Sendable {
    guard let list = cells.list(at: position, layout) else {
      throw wrongType("a list", at: position)
    }
    return try layout.lists[position - layout.columns.count].decode(list)
  }

  /// Creates the error for a column that holds another kind of value than expected.
  ///
  /// - Parameters:
  ///   - expected: The expected kind.
  ///   - position: The column's position.
  /// - Returns: The error.
  public func wrongType(_ expected: String, at position: Int) -> SQLMappingError {
    .wrongType(
      table: layout.table, column: layout.name(at: position), expected: expected,
      found: cells.kind(at: position))
  }
}

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
