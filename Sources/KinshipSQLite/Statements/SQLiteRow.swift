#if SQLite
  internal import CSQLite
  public import Kinship

  /// A row that is being read, for a ``RowTranslator``: its columns by their positions.
  ///
  /// Nothing is converted: a column that holds another kind of value than was asked for is an error
  /// that names the table, the column and the row. An integer may be read as a floating-point
  /// number, since SQLite stores 5.0 as 5.
  public struct SQLiteRow: ~Copyable {
    let statement: OpaquePointer
    let layout: RowLayout

    @inline(__always)
    private func cell(_ position: Int) -> StoredColumn.Cell {
      StoredColumn.Cell(statement, Int32(truncatingIfNeeded: position))
    }

    /// Whether a column holds NULL.
    ///
    /// - Parameter position: The column's position.
    /// - Returns: Whether it does.
    public func isNull(at position: Int) -> Bool {
      cell(position).type == SQLITE_NULL
    }

    /// Reads an integer.
    ///
    /// - Parameter position: The column's position.
    /// - Returns: The integer.
    /// - Throws: `SQLiteError.wrongType`.
    public func integer(at position: Int) throws(SQLiteError) -> Int64 {
      let cell = cell(position)
      guard cell.type == SQLITE_INTEGER else { throw wrongType("INTEGER", at: position) }
      return cell.integer
    }

    /// Reads a floating-point number.
    ///
    /// - Parameter position: The column's position.
    /// - Returns: The number.
    /// - Throws: `SQLiteError.wrongType`, also for an integer that has no equal.
    public func real(at position: Int) throws(SQLiteError) -> Double {
      let cell = cell(position)
      switch cell.type {
      case SQLITE_FLOAT: return cell.real
      case SQLITE_INTEGER:
        if let real = Double(exactly: cell.integer) { return real }
        throw wrongType("REAL", at: position)
      default: throw wrongType("REAL", at: position)
      }
    }

    /// Reads a text.
    ///
    /// - Parameter position: The column's position.
    /// - Returns: The text.
    /// - Throws: `SQLiteError.wrongType`, `.unsuitableValue` if the text is not UTF-8.
    public func text(at position: Int) throws(SQLiteError) -> String {
      let cell = cell(position)
      guard cell.type == SQLITE_TEXT else { throw wrongType("TEXT", at: position) }
      guard let text = cell.text else {
        throw layout.unsuitable("UTF-8", at: position)
      }
      return text
    }

    /// What a column holds, whatever it is.
    ///
    /// - Parameter position: The column's position.
    /// - Returns: The value; a text that is not UTF-8 comes as a blob.
    public func storedValue(at position: Int) -> SQLiteValue {
      StoredColumn.value(statement, Int32(truncatingIfNeeded: position))
    }

    /// Reads a value.
    ///
    /// ```swift
    /// func record(from row: borrowing SQLiteRow) throws -> Track {
    ///   Track(id: try row.value(at: 0), name: try row.value(at: 1), album: try row.value(at: 2))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - position: The column's position.
    ///   - type: The type of the value.
    /// - Returns: The value.
    /// - Throws: `SQLiteError.wrongType` if the column holds no such value.
    @inlinable
    public func value<Value: SQLiteConvertible>(
      at position: Int, as type: Value.Type = Value.self
    ) throws(SQLiteError) -> Value {
      try Value.read(from: self, at: position)
    }

    /// Reads the list with an index: its refs, in their order.
    ///
    /// - Parameters:
    ///   - index: The index of the list among those of the table.
    ///   - type: The type of the records that the refs name.
    /// - Returns: The refs.
    /// - Throws: `SQLiteError` if the list holds what is no id of the type.
    public func list<Target: GraphRecord>(
      _ index: Int, of type: Target.Type = Target.self
    ) throws -> [Ref<Target>] {
      guard layout.lists.indices.contains(index) else {
        throw SQLiteError.noColumn("list \(index)", table: layout.table)
      }
      let refs = try refs(at: layout.columns.count + index)
      guard let refs = refs as? [Ref<Target>] else {
        throw wrongType("refs to \(Target.recordName)", at: layout.columns.count + index)
      }
      return refs
    }

    /// The refs of a list, as an array of refs to its targets.
    func refs(at position: Int) throws -> any Sendable {
      let index = Int32(truncatingIfNeeded: position)
      guard let bytes = sqlite3_column_text(statement, index) else {
        throw wrongType("a list", at: position)
      }
      let count = Int(sqlite3_column_bytes(statement, index))
      return try layout.lists[position - layout.columns.count].decode(
        ListParser(
          UnsafeBufferPointer(start: bytes, count: count), layout: layout, position: position))
    }

    /// The error for a column that holds another kind of value than was asked for.
    ///
    /// - Parameters:
    ///   - expected: What was asked for.
    ///   - position: The column's position.
    /// - Returns: The error.
    public func wrongType(_ expected: String, at position: Int) -> SQLiteError {
      .wrongType(
        table: layout.table, column: layout.name(at: position), expected: expected,
        found: StoredColumn.kind(statement, Int32(truncatingIfNeeded: position)))
    }
  }
#endif
