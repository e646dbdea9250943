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
